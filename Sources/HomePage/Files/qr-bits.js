// The bits of a QR code: its format, mask and error correction, and the text in them.

/**
 * Error correction bytes of a block, then the blocks as pairs of count and data bytes; rows are versions, columns L, M,
 * Q, H.
 */
const BLOCKS = [
  [[7, 1, 19], [10, 1, 16], [13, 1, 13], [17, 1, 9]],
  [[10, 1, 34], [16, 1, 28], [22, 1, 22], [28, 1, 16]],
  [[15, 1, 55], [26, 1, 44], [18, 2, 17], [22, 2, 13]],
  [[20, 1, 80], [18, 2, 32], [26, 2, 24], [16, 4, 9]],
  [[26, 1, 108], [24, 2, 43], [18, 2, 15, 2, 16], [22, 2, 11, 2, 12]],
  [[18, 2, 68], [16, 4, 27], [24, 4, 19], [28, 4, 15]],
];
const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** Returns the text in a grid of modules; nothing if its bits are no code. */
export function decode(grid, version) {
  const format = formatOf(grid);
  if (!format) return null;
  const bytes = corrected(codewords(grid, version, format.mask), BLOCKS[version - 1][format.level]);
  return bytes && textOf(bytes);
}

/** The level and the mask, from whichever of their two copies is nearer to a valid one. */
function formatOf(grid) {
  const size = grid.length;
  let one = 0, two = 0;
  for (let at = 0; at < 15; at++) {
    const [x, y] = at < 6 ? [8, at] : at < 8 ? [8, at + 1] : at === 8 ? [7, 8] : [14 - at, 8];
    one |= grid[y][x] << at;
    const [u, v] = at < 8 ? [size - 1 - at, 8] : [8, size - 15 + at];
    two |= grid[v][u] << at;
  }
  let best = null, least = 4;
  for (let data = 0; data < 32; data++) {
    let rest = data << 10;
    for (let bit = 14; bit >= 10; bit--) if (rest & (1 << bit)) rest ^= 0x537 << (bit - 10);
    const code = ((data << 10) | rest) ^ 0x5412;
    const distance = Math.min(ones(code ^ one), ones(code ^ two));
    if (distance < least) {
      least = distance;
      best = { level: [1, 0, 3, 2][data >> 3], mask: data & 7 };
    }
  }
  return best;
}

function ones(value) {
  let count = 0;
  for (; value; value &= value - 1) count += 1;
  return count;
}

const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function codewords(grid, version, mask) {
  const size = grid.length, bytes = [];
  const isData = (x, y) => {
    if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8) || x === 6 || y === 6) return false;
    const centre = size - 7;
    return !(version > 1 && Math.abs(x - centre) <= 2 && Math.abs(y - centre) <= 2);
  };
  let byte = 0, count = 0, up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isData(x, y)) continue;
        byte = (byte << 1) | (grid[y][x] ^ Number(MASKS[mask](x, y)));
        if (++count === 8) {
          bytes.push(byte);
          byte = count = 0;
        }
      }
    }
    up = !up;
  }
  return bytes;
}

// MARK: Error correction

const EXP = new Uint8Array(512), LOG = new Uint8Array(256);
for (let at = 0, value = 1; at < 255; at++) {
  EXP[at] = EXP[at + 255] = value;
  LOG[value] = at;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

/** The data bytes of all blocks, repaired; `null` if there are too many errors. */
function corrected(bytes, [ec, ...shape]) {
  const blocks = [];
  for (let at = 0; at < shape.length; at += 2) {
    for (let count = 0; count < shape[at]; count++) blocks.push({ size: shape[at + 1], bytes: [] });
  }
  let next = 0;
  const longest = Math.max(...blocks.map((block) => block.size));
  for (let at = 0; at < longest; at++) for (const block of blocks) if (at < block.size) block.bytes.push(bytes[next++]);
  for (let at = 0; at < ec; at++) for (const block of blocks) block.bytes.push(bytes[next++]);
  const data = [];
  for (const block of blocks) {
    if (!repair(block.bytes, ec)) return null;
    data.push(...block.bytes.slice(0, block.size));
  }
  return data;
}

/** Reed and Solomon's code, by Berlekamp, Massey, Chien and Forney. */
function repair(block, ec) {
  const syndromes = Array.from(
    { length: ec },
    (_, power) => block.reduce((sum, each) => times(sum, EXP[power]) ^ each, 0),
  );
  if (syndromes.every((each) => each === 0)) return true;
  let locator = [1], former = [1], length = 0, gap = 1, scale = 1;
  for (let step = 0; step < ec; step++) {
    let delta = syndromes[step];
    for (let at = 1; at <= length; at++) delta ^= times(locator[at] ?? 0, syndromes[step - at]);
    if (delta === 0) {
      gap += 1;
      continue;
    }
    const kept = locator.slice();
    const factor = times(delta, EXP[255 - LOG[scale]]);
    for (let at = 0; at < former.length; at++) locator[at + gap] = (locator[at + gap] ?? 0) ^ times(factor, former[at]);
    for (let at = 0; at < locator.length; at++) locator[at] ??= 0;
    if (2 * length <= step) {
      length = step + 1 - length;
      former = kept;
      scale = delta;
      gap = 1;
    } else gap += 1;
  }
  if (length * 2 > ec) return false;
  const evaluator = Array.from(
    { length: ec },
    (_, at) => locator.reduce((sum, each, j) => (j <= at ? sum ^ times(each, syndromes[at - j]) : sum), 0),
  );
  let found = 0;
  for (let at = 0; at < block.length; at++) {
    const power = block.length - 1 - at;
    const inverse = EXP[(255 - (power % 255)) % 255];
    const value = (polynomial) => polynomial.reduceRight((sum, each) => times(sum, inverse) ^ each, 0);
    if (value(locator) !== 0) continue;
    const slope = value(locator.map((_, j) => (j % 2 === 0 ? locator[j + 1] ?? 0 : 0)));
    if (slope === 0) return false;
    block[at] ^= times(times(value(evaluator), EXP[255 - LOG[slope]]), EXP[power % 255]);
    found += 1;
  }
  return found === length;
}

function textOf(bytes) {
  let at = 0;
  const take = (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit++, at++) value = (value << 1) | ((bytes[at >> 3] >> (7 - (at & 7))) & 1);
    return value;
  };
  let text = "";
  while (bytes.length * 8 - at >= 4) {
    const mode = take(4);
    if (mode === 0) break;
    if (mode === 1) {
      let count = take(10);
      for (; count >= 3; count -= 3) text += String(take(10)).padStart(3, "0");
      if (count) text += String(take(count === 2 ? 7 : 4)).padStart(count, "0");
    } else if (mode === 2) {
      let count = take(9);
      for (; count >= 2; count -= 2) {
        const pair = take(11);
        text += ALPHANUMERIC[Math.floor(pair / 45)] + ALPHANUMERIC[pair % 45];
      }
      if (count) text += ALPHANUMERIC[take(6)];
    } else if (mode === 4) {
      const part = Array.from({ length: take(8) }, () => take(8));
      text += new TextDecoder().decode(new Uint8Array(part));
    } else return null;
    if (at > bytes.length * 8) return null;
  }
  return text;
}
