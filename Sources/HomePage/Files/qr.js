// Reads QR codes from the luma of a picture: versions 1 to 6, which is more than a set-up code needs. Pictures of
// strangers are parsed here, in the page, and never beside the keys of the hub.

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

/** Returns the text of a QR code in a picture, given its brightness by pixel; `null` if there is none. */
export function readQR(luma, width, height) {
  for (const inverted of [false, true]) {
    const bits = binarized(luma, width, height, inverted);
    const image = {
      bits,
      width,
      height,
      at: (x, y) => {
        const column = Math.round(x - 0.5), row = Math.round(y - 0.5);
        return column >= 0 && row >= 0 && column < width && row < height ? bits[row * width + column] : 0;
      },
    };
    for (const corners of triples(finders(image))) {
      const text = read(image, corners);
      if (text !== null) return text;
    }
  }
  return null;
}

/** Dark where a pixel is darker than its surroundings: light falls unevenly on labels. */
function binarized(luma, width, height, inverted) {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += luma[y * width + x];
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
    }
  }
  const bits = new Uint8Array(width * height);
  const half = Math.max(8, Math.min(width, height) >> 4);
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - half), bottom = Math.min(height, y + half + 1);
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - half), right = Math.min(width, x + half + 1);
      const sum = sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right] -
        sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left];
      const mean = sum / ((bottom - top) * (right - left));
      const value = luma[y * width + x];
      bits[y * width + x] = inverted ? Number(value > mean * 1.07 + 2) : Number(value < mean * 0.93 - 2);
    }
  }
  return bits;
}

// MARK: Finder patterns

/** Centres of the three squares: dark and light runs of 1:1:3:1:1 in both directions. */
function finders(image) {
  const found = [];
  const { bits, width, height } = image;
  for (let y = 0; y < height; y += 1) {
    let runs = [0, 0, 0, 0, 0], last = bits[y * width], length = 0;
    for (let x = 0; x <= width; x++) {
      const bit = x < width ? bits[y * width + x] : 1 - last;
      if (bit === last) {
        length += 1;
        continue;
      }
      runs = [...runs.slice(1), length];
      if (last === 1) consider(image, runs, x, y, found);
      last = bit;
      length = 1;
    }
  }
  return found.filter((each) => each.count >= 2).sort((a, b) => b.count - a.count).slice(0, 12);
}

function isFinder(runs, slack = 0.7) {
  const unit = runs.reduce((sum, each) => sum + each, 0) / 7;
  if (unit < 0.9) return 0;
  const most = unit * slack;
  return Math.abs(runs[0] - unit) < most && Math.abs(runs[1] - unit) < most &&
      Math.abs(runs[2] - 3 * unit) < 3 * most && Math.abs(runs[3] - unit) < most && Math.abs(runs[4] - unit) < most
    ? unit
    : 0;
}

function consider(image, runs, end, y, found) {
  const unit = isFinder(runs);
  if (!unit) return;
  const x = end - runs[4] - runs[3] - runs[2] / 2;
  const vertical = across(image, x, y, 0, 1, unit);
  if (!vertical) return;
  const horizontal = across(image, x, vertical.y, 1, 0, unit);
  if (!horizontal) return;
  const centre = { x: horizontal.x, y: vertical.y, unit: (vertical.unit + horizontal.unit) / 2, count: 1 };
  for (const each of found) {
    if (Math.hypot(each.x - centre.x, each.y - centre.y) < each.unit * 2.5) {
      each.x = (each.x * each.count + centre.x) / (each.count + 1);
      each.y = (each.y * each.count + centre.y) / (each.count + 1);
      each.unit = (each.unit * each.count + centre.unit) / (each.count + 1);
      each.count += 1;
      return;
    }
  }
  found.push(centre);
}

/** Measures the runs through a point in one direction. */
function across(image, x, y, dx, dy, unit) {
  const runs = [0, 0, 0, 0, 0];
  const walk = (sign, order) => {
    let step = sign > 0 ? 0 : 1, at = 0;
    for (let colour = 1; at < 3; colour = 1 - colour, at++) {
      while (image.at(x + 0.5 + dx * sign * step, y + 0.5 + dy * sign * step) === colour) {
        runs[order[at]] += 1;
        step += 1;
        if (runs[order[at]] > unit * 5) return 0;
      }
    }
    return step;
  };
  const forward = walk(1, [2, 3, 4]), backward = walk(-1, [2, 1, 0]);
  if (!forward || !backward) return null;
  const size = isFinder(runs, 0.8);
  if (!size) return null;
  const offset = (forward - runs[4] - runs[3] - (backward - 1 - runs[1] - runs[0])) / 2;
  return { x: x + dx * offset, y: y + dy * offset, unit: size };
}

/** Triples that can be the corners of a code, as top left, top right and bottom left. */
function* triples(points) {
  const candidates = [];
  for (let a = 0; a < points.length; a++) {
    for (let b = a + 1; b < points.length; b++) {
      for (let c = b + 1; c < points.length; c++) {
        const trio = [points[a], points[b], points[c]];
        const units = trio.map((each) => each.unit);
        if (Math.max(...units) > 2 * Math.min(...units)) {
          continue;
        }
        const [topLeft, one, two] = rightAngle(trio);
        const side = Math.hypot(one.x - topLeft.x, one.y - topLeft.y),
          other = Math.hypot(two.x - topLeft.x, two.y - topLeft.y);
        const skew = Math.abs(side - other) / Math.max(side, other);
        const cross = (one.x - topLeft.x) * (two.y - topLeft.y) - (one.y - topLeft.y) * (two.x - topLeft.x);
        const sine = Math.abs(cross) / (side * other);
        if (skew > 0.45 || sine < 0.6) continue;
        candidates.push({ corners: cross > 0 ? [topLeft, one, two] : [topLeft, two, one], score: skew + (1 - sine) });
      }
    }
  }
  candidates.sort((a, b) => a.score - b.score);
  for (const each of candidates.slice(0, 12)) yield each.corners;
}

/** The corner opposite to the longest side comes first. */
function rightAngle([a, b, c]) {
  const ab = Math.hypot(a.x - b.x, a.y - b.y),
    bc = Math.hypot(b.x - c.x, b.y - c.y),
    ca = Math.hypot(c.x - a.x, c.y - a.y);
  if (ab >= bc && ab >= ca) return [c, a, b];
  return bc >= ca ? [a, b, c] : [b, c, a];
}

// MARK: The grid

function read(image, [topLeft, topRight, bottomLeft]) {
  const unit = (topLeft.unit + topRight.unit + bottomLeft.unit) / 3;
  const side = (Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y) +
    Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y)) / 2;
  const guess = Math.round((side / unit + 7 - 17) / 4);
  for (const version of [guess, guess + 1, guess - 1, guess + 2]) {
    if (version < 1 || version > 6) continue;
    for (const grid of grids(image, version, topLeft, topRight, bottomLeft)) {
      const text = decode(grid, version);
      if (text !== null) return text;
    }
  }
  return null;
}

/** Samples of the code's modules, with the fourth corner as the alignment pattern says, and without it. */
function* grids(image, version, a, b, c) {
  const size = 17 + 4 * version;
  const far = { x: b.x + c.x - a.x, y: b.y + c.y - a.y };
  const plain = mapping([[3.5, 3.5], [size - 3.5, 3.5], [3.5, size - 3.5], [size - 3.5, size - 3.5]], [a, b, c, far]);
  if (version > 1) {
    const aligned = alignment(image, plain, size);
    if (aligned) {
      yield sample(
        image,
        mapping([[3.5, 3.5], [size - 3.5, 3.5], [3.5, size - 3.5], [size - 6.5, size - 6.5]], [a, b, c, aligned]),
        size,
      );
    }
  }
  yield sample(image, plain, size);
}

/** Looks for the small square near the fourth corner: the place where most of its 25 modules are right. */
function alignment(image, map, size) {
  let best = null, most = 19;
  for (let dy = -3.5; dy <= 3.5; dy += 0.5) {
    for (let dx = -3.5; dx <= 3.5; dx += 0.5) {
      let right = 0;
      for (let y = -2; y <= 2; y++) {
        for (let x = -2; x <= 2; x++) {
          const dark = Math.max(Math.abs(x), Math.abs(y)) !== 1 ? 1 : 0;
          const point = map(size - 6.5 + dx + x, size - 6.5 + dy + y);
          if (image.at(point.x, point.y) === dark) right += 1;
        }
      }
      const score = right - Math.hypot(dx, dy) * 0.15;
      if (score > most) {
        most = score;
        best = map(size - 6.5 + dx, size - 6.5 + dy);
      }
    }
  }
  return best;
}

function sample(image, map, size) {
  const grid = [];
  for (let y = 0; y < size; y++) {
    const row = [];
    for (let x = 0; x < size; x++) {
      let dark = 0;
      for (const [dx, dy] of [[0.5, 0.5], [0.35, 0.5], [0.65, 0.5], [0.5, 0.35], [0.5, 0.65]]) {
        const point = map(x + dx, y + dy);
        dark += image.at(point.x, point.y);
      }
      row.push(dark >= 3 ? 1 : 0);
    }
    grid.push(row);
  }
  return grid;
}

/** The perspective that takes four points of the grid to four of the picture. */
function mapping(from, to) {
  const rows = [];
  from.forEach(([x, y], at) => {
    const { x: u, y: v } = to[at];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  });
  const m = solved(rows);
  return (x, y) => {
    const w = m[6] * x + m[7] * y + 1;
    return { x: (m[0] * x + m[1] * y + m[2]) / w + 0.5, y: (m[3] * x + m[4] * y + m[5]) / w + 0.5 };
  };
}

/** Gauss's elimination of eight equations. */
function solved(rows) {
  for (let column = 0; column < 8; column++) {
    let pivot = column;
    for (let row = column + 1; row < 8; row++) {
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let row = 0; row < 8; row++) {
      if (row === column) continue;
      const factor = rows[row][column] / rows[column][column];
      for (let at = column; at < 9; at++) rows[row][at] -= factor * rows[column][at];
    }
  }
  return rows.map((row, at) => row[8] / row[at]);
}

// MARK: The bits

function decode(grid, version) {
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

// MARK: Pictures

/** Reads a code from what can be drawn: a frame of the camera, or a photo. */
export async function readPicture(source, width, height) {
  if (globalThis.BarcodeDetector) {
    try {
      const found = await new BarcodeDetector({ formats: ["qr_code"] }).detect(source);
      if (found.length) return found[0].rawValue;
    } catch { /* Ours reads it as well. */ }
  }
  for (const longest of [640, 1200]) {
    const scale = Math.min(1, longest / Math.max(width, height));
    const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const luma = new Uint8Array(canvas.width * canvas.height);
    for (let at = 0; at < luma.length; at++) {
      luma[at] = (data[4 * at] * 77 + data[4 * at + 1] * 150 + data[4 * at + 2] * 29) >> 8;
    }
    const text = readQR(luma, canvas.width, canvas.height);
    if (text !== null || scale === 1) return text;
  }
  return null;
}
