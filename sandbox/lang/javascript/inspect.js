// Shows values as text, the way people know from Node: inspect(value) for one,
// format(values) for what console.log is given. Evaluates to the function that
// makes both; nothing that a program redefines later is used.
(function () {
  'use strict';
  const maxDepth = 2, maxItems = 100, maxWidth = 72;
  const { getOwnPropertyDescriptor, getPrototypeOf, keys, getOwnPropertySymbols } = Object;
  const { isArray, prototype: { slice } } = Array;
  const { isView } = ArrayBuffer;
  const stringify = JSON.stringify;
  const uncurry = (f) => Function.prototype.call.bind(f);
  const toISO = uncurry(Date.prototype.toISOString);
  const getTime = uncurry(Date.prototype.getTime);
  const regExpText = uncurry(RegExp.prototype.toString);
  const symbolText = uncurry(Symbol.prototype.toString);
  const functionText = uncurry(Function.prototype.toString);
  const ofMap = uncurry(Map.prototype.forEach);
  const ofSet = uncurry(Set.prototype.forEach);
  const typeTag = uncurry(getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get);

  function quote(s) {
    const mark = !s.includes("'") ? "'" : !s.includes('"') ? '"' : "'";
    const body = stringify(s).slice(1, -1).replaceAll('\\"', '"');
    return mark + (mark === "'" ? body.replaceAll("'", "\\'") : body) + mark;
  }

  function primitive(v) {
    switch (typeof v) {
      case 'string': return quote(v);
      case 'bigint': return v + 'n';
      case 'number': return v === 0 && 1 / v < 0 ? '-0' : String(v);
      case 'symbol': return symbolText(v);
      default: return String(v);
    }
  }

  // nameOf is the name of the class a value is made by, or '' for null prototypes.
  function nameOf(v) {
    for (let p = getPrototypeOf(v); p !== null; p = getPrototypeOf(p)) {
      const made = getOwnPropertyDescriptor(p, 'constructor');
      if (made && typeof made.value === 'function') return made.value.name;
    }
    return '';
  }

  function functionName(f) {
    const own = getOwnPropertyDescriptor(f, 'name');
    const name = own && typeof own.value === 'string' ? own.value : '';
    if (functionText(f).startsWith('class')) return `[class ${name || '(anonymous)'}]`;
    return name ? `[Function: ${name}]` : '[Function (anonymous)]';
  }

  // errorText is name and message, then where it happened in the program.
  function errorText(e) {
    const head = e.message ? `${e.name}: ${e.message}` : String(e.name);
    const frames = typeof e.stack === 'string' ? e.stack.trimEnd().split('\n') : [];
    const stack = frames.filter((f) => !/\((prelude|inspect)\.js:/.test(f)).join('\n');
    return stack ? `${head}\n${stack}` : head;
  }

  // special gives the text of objects that are not lists of properties.
  function special(v) {
    if (typeof v === 'function') return functionName(v);
    if (v instanceof Error) return errorText(v);
    if (v instanceof Date) return getTime(v) === getTime(v) ? toISO(v) : 'Invalid Date';
    if (v instanceof RegExp) return regExpText(v);
    if (v instanceof Promise) return 'Promise {}';
    if (v instanceof WeakMap) return 'WeakMap {}';
    if (v instanceof WeakSet) return 'WeakSet {}';
    return undefined;
  }

  function property(v, key, seen, depth) {
    const d = getOwnPropertyDescriptor(v, key);
    if (d === undefined) return 'undefined';
    if (d.get) return d.set ? '[Getter/Setter]' : '[Getter]';
    if (d.set) return '[Setter]';
    return show(d.value, seen, depth);
  }

  // entries are the texts of what is in an object: items first, then properties.
  function entries(v, seen, depth) {
    const out = [];
    const item = (text) => { if (out.length < maxItems) out.push(text); };
    let count = 0, skip = 0;
    if (isArray(v) || isView(v)) {
      count = v.length ?? 0;
      skip = count;
      for (let i = 0; i < count && i < maxItems; i++) {
        item(isArray(v) && !(i in v) ? '<empty>' : isArray(v) ? property(v, i, seen, depth) : primitive(v[i]));
      }
    } else if (v instanceof Map) {
      ofMap(v, (value, key) => { count++; if (count <= maxItems) item(`${show(key, seen, depth)} => ${show(value, seen, depth)}`); });
    } else if (v instanceof Set) {
      ofSet(v, (value) => { count++; if (count <= maxItems) item(show(value, seen, depth)); });
    }
    if (count > maxItems) out.push(`... ${count - maxItems} more item${count - maxItems > 1 ? 's' : ''}`);
    for (const key of skip ? [] : keys(v)) {
      out.push(`${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)}: ${property(v, key, seen, depth)}`);
    }
    for (const key of getOwnPropertySymbols(v)) {
      if (getOwnPropertyDescriptor(v, key).enumerable) out.push(`[${symbolText(key)}]: ${property(v, key, seen, depth)}`);
    }
    return out;
  }

  function prefix(v) {
    const name = nameOf(v);
    if (isArray(v)) return name === 'Array' ? '' : `${name}(${v.length}) `;
    if (isView(v)) return `${typeTag(v) ?? name}(${v.length ?? v.byteLength}) `;
    if (v instanceof Map || v instanceof Set) return `${name}(${v.size}) `;
    return name === 'Object' ? '' : `${name || '[Object: null prototype]'} `;
  }

  function show(v, seen, depth) {
    if (v === null || (typeof v !== 'object' && typeof v !== 'function')) return primitive(v);
    if (seen.includes(v)) return '[Circular]';
    const text = special(v);
    if (text !== undefined) return text;
    if (depth > maxDepth) return isArray(v) ? '[Array]' : `[${nameOf(v) || 'Object'}]`;
    const list = entries(v, [...seen, v], depth + 1);
    const [left, right] = isArray(v) || isView(v) ? '[]' : '{}';
    if (list.length === 0) return prefix(v) + left + right;
    const width = list.reduce((sum, s) => sum + s.length + 2, 0);
    if (width <= maxWidth && !list.some((s) => s.includes('\n'))) {
      return `${prefix(v)}${left} ${list.join(', ')} ${right}`;
    }
    const lines = list.map((s) => '  ' + s.replaceAll('\n', '\n  '));
    return `${prefix(v)}${left}\n${lines.join(',\n')}\n${right}`;
  }

  // inspect never throws: a proxy or a getter may.
  function inspect(v) {
    try {
      return show(v, [], 0);
    } catch {
      return `[${typeof v} that cannot be shown]`;
    }
  }

  // text is a value as console.log shows it: strings bare.
  const text = (v) => (typeof v === 'string' ? v : inspect(v));

  function directive(mark, v) {
    switch (mark) {
      case 's': return typeof v === 'object' ? inspect(v) : typeof v === 'symbol' ? symbolText(v) : String(v);
      case 'd': return typeof v === 'object' ? 'NaN' : typeof v === 'bigint' ? v + 'n' : String(Number(v));
      case 'i': return String(parseInt(v, 10));
      case 'f': return String(parseFloat(v));
      case 'j': return stringify(v);
      case 'c': return '';
      default: return inspect(v);
    }
  }

  // format joins values with spaces; a first string may hold % directives.
  function format(values) {
    let rest = values;
    let first = '';
    if (typeof values[0] === 'string' && values.length > 1 && values[0].includes('%')) {
      let next = 1;
      first = values[0].replace(/%[sdifjoOc%]/g, (m) => {
        if (m === '%%') return '%';
        return next < values.length ? directive(m[1], values[next++]) : m;
      });
      rest = slice.call(values, next);
      if (rest.length === 0) return first;
      first += ' ';
    }
    return first + rest.map(text).join(' ');
  }

  return { inspect, format, errorText };
})()
