// CPU kernels for the benchmark of the metering pass. Each takes a size and
// returns a checksum, so that metered and plain runs can be compared.

export function fib(n: i32): i32 {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

export function sieve(n: i32): i32 {
  const base: usize = 1 << 16;
  memory.fill(base, 1, n + 1);
  for (let i = 2; i * i <= n; i++) {
    if (load<u8>(base + i)) for (let j = i * i; j <= n; j += i) store<u8>(base + j, 0);
  }
  let count = 0;
  for (let i = 2; i <= n; i++) count += load<u8>(base + i);
  return count;
}

export function matmul(n: i32): i32 {
  const a: usize = 1 << 16, b: usize = a + n * n * 8, c: usize = b + n * n * 8;
  for (let i = 0; i < n * n; i++) {
    store<f64>(a + i * 8, f64(i % 7));
    store<f64>(b + i * 8, f64(i % 5));
  }
  let trace: f64 = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let s: f64 = 0;
      for (let k = 0; k < n; k++) s += load<f64>(a + (i * n + k) * 8) * load<f64>(b + (k * n + j) * 8);
      store<f64>(c + (i * n + j) * 8, s);
    }
    trace += load<f64>(c + (i * n + i) * 8);
  }
  return i32(trace);
}

export function mandelbrot(n: i32): i32 {
  let inside = 0;
  for (let py = 0; py < n; py++) {
    for (let px = 0; px < n; px++) {
      const cx = 3.0 * f64(px) / f64(n) - 2.0, cy = 2.0 * f64(py) / f64(n) - 1.0;
      let x = 0.0, y = 0.0, i = 0;
      while (i < 100 && x * x + y * y < 4.0) {
        const t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        i++;
      }
      if (i == 100) inside++;
    }
  }
  return inside;
}

export function quicksort(n: i32): i32 {
  const base: usize = 1 << 16;
  let x: u32 = 1;
  for (let i = 0; i < n; i++) {
    x = x * 1664525 + 1013904223;
    store<i32>(base + i * 4, x >> 1);
  }
  sort(base, 0, n - 1);
  let sum = 0;
  for (let i = 0; i < n; i++) sum = sum * 31 + load<i32>(base + i * 4);
  return sum;
}

function sort(base: usize, lo: i32, hi: i32): void {
  while (lo < hi) {
    const p = load<i32>(base + ((lo + hi) >> 1) * 4);
    let i = lo, j = hi;
    while (i <= j) {
      while (load<i32>(base + i * 4) < p) i++;
      while (load<i32>(base + j * 4) > p) j--;
      if (i <= j) {
        const t = load<i32>(base + i * 4);
        store<i32>(base + i * 4, load<i32>(base + j * 4));
        store<i32>(base + j * 4, t);
        i++;
        j--;
      }
    }
    sort(base, lo, j);
    lo = i;
  }
}

// rounds of the SHA-256 compression function over a changing block
export function sha256(n: i32): i32 {
  const k: usize = 1 << 16, w: usize = k + 256;
  for (let i = 0; i < 64; i++) store<u32>(k + i * 4, <u32>i * 0x9e3779b9);
  let a: u32 = 1, b: u32 = 2, c: u32 = 3, d: u32 = 4, e: u32 = 5, f: u32 = 6, g: u32 = 7, h: u32 = 8;
  for (let r = 0; r < n; r++) {
    for (let i = 0; i < 16; i++) store<u32>(w + i * 4, a + i);
    for (let i = 16; i < 64; i++) {
      const x = load<u32>(w + (i - 15) * 4), y = load<u32>(w + (i - 2) * 4);
      const s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3), s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10);
      store<u32>(w + i * 4, load<u32>(w + (i - 16) * 4) + s0 + load<u32>(w + (i - 7) * 4) + s1);
    }
    for (let i = 0; i < 64; i++) {
      const t1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + load<u32>(k + i * 4) + load<u32>(w + i * 4);
      const t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
    }
  }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

// a byte-code interpreter: br_table and unpredictable branches
export function interpreter(n: i32): i32 {
  const code: usize = 1 << 16;
  for (let i = 0; i < 64; i++) store<u8>(code + i, (i * 7 + 3) % 6);
  let acc = 1, pc = 0;
  for (let i = 0; i < n; i++) {
    switch (load<u8>(code + pc)) {
      case 0: acc += 7; break;
      case 1: acc ^= acc << 3; break;
      case 2: acc = acc * 13 + 1; break;
      case 3: if (acc & 1) acc -= 5; break;
      case 4: acc = rotl(acc, 5); break;
      default: acc = ~acc;
    }
    pc = (pc + 1 + (acc & 1)) & 63;
  }
  return acc;
}

export function crc32(n: i32): i32 {
  let crc: u32 = 0xffffffff;
  for (let i = 0; i < n; i++) {
    crc ^= i & 255;
    for (let b = 0; b < 8; b++) crc = (crc >> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc;
}

export function nbody(n: i32): i32 {
  const p: usize = 1 << 16;
  for (let i = 0; i < 35; i++) store<f64>(p + i * 8, f64((i * 37) % 11) * 0.1 + 0.01);
  for (let s = 0; s < n; s++) {
    for (let i = 0; i < 5; i++) {
      const bi = p + i * 56;
      for (let j = i + 1; j < 5; j++) {
        const bj = p + j * 56;
        const dx = load<f64>(bi) - load<f64>(bj), dy = load<f64>(bi, 8) - load<f64>(bj, 8), dz = load<f64>(bi, 16) - load<f64>(bj, 16);
        const d2 = dx * dx + dy * dy + dz * dz + 0.01;
        const mag = 0.001 / (d2 * sqrt<f64>(d2));
        const mj = load<f64>(bj, 48) * mag, mi = load<f64>(bi, 48) * mag;
        store<f64>(bi, load<f64>(bi, 24) - dx * mj, 24);
        store<f64>(bi, load<f64>(bi, 32) - dy * mj, 32);
        store<f64>(bi, load<f64>(bi, 40) - dz * mj, 40);
        store<f64>(bj, load<f64>(bj, 24) + dx * mi, 24);
        store<f64>(bj, load<f64>(bj, 32) + dy * mi, 32);
        store<f64>(bj, load<f64>(bj, 40) + dz * mi, 40);
      }
    }
    for (let i = 0; i < 5; i++) {
      const b = p + i * 56;
      store<f64>(b, load<f64>(b) + 0.001 * load<f64>(b, 24));
      store<f64>(b, load<f64>(b, 8) + 0.001 * load<f64>(b, 32), 8);
      store<f64>(b, load<f64>(b, 16) + 0.001 * load<f64>(b, 40), 16);
    }
  }
  return i32(load<f64>(p) * 1e6);
}
