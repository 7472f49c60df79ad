// The world of a program: console, process, stdin, timers. Evaluates to a
// function that the host calls once, before the program:
//   host(op, a, b)  asks the host for something; always throws, meaning nothing
//   io              the ArrayBuffer through which text goes to the host
//   config          JSON: argv, env, seed (four 32-bit numbers)
//   input, bytes    stdin as a string and as a Uint8Array
//   show            what inspect.js makes
// It returns what the host calls later: { report, tick }.
(function (host, io, config, input, bytes, show) {
  'use strict';
  const opWrite = 1, opExit = 2, opSleep = 3;
  const { argv, env, seed } = JSON.parse(config);
  const { inspect, format, errorText } = show;

  const buffer = new Uint8Array(io);
  const chunk = io.byteLength / 4 | 0; // a UTF-16 unit is at most 3 bytes of UTF-8
  const uncurry = (f) => Function.prototype.call.bind(f);
  const setFromBase64 = uncurry(Uint8Array.prototype.setFromBase64);
  const setBytes = uncurry(Object.getPrototypeOf(Uint8Array.prototype).set);
  const wellFormed = uncurry(String.prototype.toWellFormed);
  const { btoa, unescape, encodeURIComponent, isNaN } = globalThis;
  const { floor, max, min, imul } = Math;

  function ask(op, a, b) {
    try { host(op, a, b); } catch { /* the answer is not in the exception */ }
  }

  // write sends text as UTF-8, in pieces that do not cut a character.
  function write(fd, text) {
    const s = wellFormed(text);
    for (let from = 0; from < s.length;) {
      let to = min(from + chunk, s.length);
      if (to < s.length && (s.charCodeAt(to) & 0xfc00) === 0xdc00) to--;
      const utf8 = unescape(encodeURIComponent(s.slice(from, to)));
      ask(opWrite, fd, setFromBase64(buffer, btoa(utf8)).written);
      from = to;
    }
  }

  function writeBytes(fd, data) {
    for (let from = 0; from < data.length; from += io.byteLength) {
      const part = data.subarray(from, min(from + io.byteLength, data.length));
      setBytes(buffer, part);
      ask(opWrite, fd, part.length);
    }
  }

  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });

  // ---- console ----
  let indent = '';
  const counts = new Map(), times = new Map();
  function line(fd, text) {
    write(fd, (indent ? indent + text.replaceAll('\n', '\n' + indent) : text) + '\n');
  }
  const out = (...values) => line(1, format(values));
  const err = (...values) => line(2, format(values));
  const elapsed = (label) => `${label}: ${(performance.now() - (times.get(label) ?? 0)).toFixed(3)}ms`;
  define('print', out);
  define('console', {
    log: out, info: out, debug: out, dir: (v) => out(inspect(v)), table: out,
    error: err, warn: err,
    trace: (...values) => err('Trace:', ...values, '\n' + new Error().stack.trimEnd()),
    assert: (ok, ...values) => { if (!ok) err('Assertion failed' + (values.length ? ':' : ''), ...values); },
    group: (...values) => { if (values.length) out(...values); indent += '  '; },
    groupEnd: () => { indent = indent.slice(2); },
    count: (label = 'default') => { counts.set(label, (counts.get(label) ?? 0) + 1); out(`${label}: ${counts.get(label)}`); },
    time: (label = 'default') => { times.set(label, performance.now()); },
    timeLog: (label = 'default', ...values) => out(elapsed(label), ...values),
    timeEnd: (label = 'default') => { out(elapsed(label)); times.delete(label); },
  });

  // ---- process ----
  const stream = (fd) => ({
    isTTY: false,
    write: (data) => {
      if (typeof data === 'string') write(fd, data);
      else if (data instanceof Uint8Array) writeBytes(fd, data);
      else throw new TypeError(`want a string or a Uint8Array to write, not ${inspect(data)}`);
      return true;
    },
  });
  let rest = 0; // of input, for readline
  function readline() {
    if (rest >= input.length) return null;
    let end = input.indexOf('\n', rest);
    if (end < 0) end = input.length;
    const text = input.slice(rest, end);
    rest = end + 1;
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }
  const stdin = {
    isTTY: false,
    setEncoding: () => stdin,
    resume: () => stdin,
    read: () => { const text = input.slice(rest); rest = input.length; return text === '' ? null : text; },
    on: (event, f) => {
      if (event === 'data') setTimeout(() => { const text = stdin.read(); if (text !== null) f(text); }, 0);
      if (event === 'end' || event === 'close') setTimeout(() => setTimeout(f, 0), 0);
      return stdin;
    },
    async *[Symbol.asyncIterator]() { const text = stdin.read(); if (text !== null) yield text; },
  };
  const process = {
    argv: ['javascript', ...argv],
    env,
    exitCode: undefined,
    platform: 'wasi',
    stdin, stdout: stream(1), stderr: stream(2),
    exit: (code = process.exitCode) => ask(opExit, code ? 1 : 0, 0),
    cwd: () => '/',
    nextTick: (f, ...values) => queueMicrotask(() => f(...values)),
  };
  define('process', process);
  define('scriptArgs', argv);
  define('readline', readline);
  const fs = {
    readFileSync: (path, options) => {
      if (path !== 0 && path !== '/dev/stdin') {
        throw new Error(`ENOENT: no such file: ${inspect(path)}; only 0 and '/dev/stdin' can be read`);
      }
      if (options) return input;
      return Object.defineProperty(bytes.slice(), 'toString', { value: () => input }); // as a Buffer has
    },
    writeSync: (fd, data) => { stream(fd === 2 ? 2 : 1).write(data); return data.length; },
  };
  define('require', (name) => {
    if (name === 'fs' || name === 'node:fs') return fs;
    if (name === 'process' || name === 'node:process') return process;
    throw new Error(`Cannot find module '${name}': only 'fs' (stdin) and 'process' exist here`);
  });

  // ---- timers: a list, run by the host when no job is left ----
  const timers = new Map();
  let lastId = 0, now = 0; // ms of timer time
  function add(f, delay, every, values) {
    if (typeof f !== 'function') throw new TypeError('the callback is not a function');
    const ms = max(1, min(floor(isNaN(delay) ? 0 : +delay), 0x7fffffff));
    timers.set(++lastId, { f, values, at: now + ms, every: every ? ms : 0 });
    return lastId;
  }
  define('setTimeout', (f, delay = 0, ...values) => add(f, delay, false, values));
  define('setInterval', (f, delay = 0, ...values) => add(f, delay, true, values));
  define('setImmediate', (f, ...values) => add(f, 0, false, values));
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
    define(name, (id) => { timers.delete(id); });
  }

  // tick runs the timer that is due first and tells whether there was one.
  function tick() {
    let due, dueId;
    for (const [id, t] of timers) if (!due || t.at < due.at) [due, dueId] = [t, id];
    if (!due) {
      if (process.exitCode) process.exit();
      return false;
    }
    if (due.at > now) {
      ask(opSleep, due.at - now, 0);
      now = due.at;
    }
    if (due.every) due.at = now + due.every;
    else timers.delete(dueId);
    due.f(...due.values);
    return true;
  }

  // ---- random numbers: xoshiro128** from the seed of the run ----
  let [a, b, c, d] = seed;
  function next() {
    let r = imul(b, 5);
    r = imul((r << 7) | (r >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a; d ^= b; b ^= c; a ^= d; c ^= t;
    d = (d << 11) | (d >>> 21);
    return r;
  }
  const random = { random() { return ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992; } }.random;
  Object.defineProperty(Math, 'random', { value: random, writable: true, configurable: true, enumerable: false });

  // report tells what the program failed of.
  function report(reason) {
    indent = '';
    let text;
    try {
      text = reason instanceof Error ? errorText(reason) : inspect(reason);
    } catch {
      text = 'exception that cannot be shown';
    }
    write(2, `Uncaught ${text}\n`);
  }

  return { report, tick };
})
