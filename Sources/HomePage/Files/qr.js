// Reads QR codes from the luma of a picture: versions 1 to 6, which is more than a set-up code needs. Pictures of
// strangers are parsed here, in the page, and never beside the keys of the hub.

import { decode } from "./qr-bits.js";

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
