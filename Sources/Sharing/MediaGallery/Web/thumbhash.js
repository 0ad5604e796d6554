// Draws the ThumbHash behind a picture until it is there.
"use strict";

{
  const side = 32;

  // As thumbHashToRGBA of ThumbHash's reference implementation.
  function draw(hash) {
    const color = hash[0] | (hash[1] << 8) | (hash[2] << 16);
    const shape = hash[3] | (hash[4] << 8);
    const hasAlpha = color >> 23;
    const isLandscape = shape >> 15;
    const longSide = hasAlpha ? 5 : 7;
    const [columns, rows] = isLandscape ? [longSide, shape & 7] : [shape & 7, longSide];
    if (!columns || !rows) return null;

    let position = (hasAlpha ? 6 : 5) * 2;
    const channel = (columns, rows, mean, scale) => {
      const waves = [];
      for (let row = 0; row < rows; row++) {
        for (let column = row ? 0 : 1; column * rows < columns * (rows - row); column++) {
          const level = (hash[position >> 1] >> ((position & 1) * 4)) & 15;
          waves.push([column, row, (level / 7.5 - 1) * scale * 2]);
          position += 1;
        }
      }
      return (across, down) =>
        waves.reduce((sum, [column, row, wave]) => sum + wave * across[column] * down[row], mean);
    };
    // Color is stronger by a quarter, since it is coarse.
    const light = channel(Math.max(3, columns), Math.max(3, rows), (color & 63) / 63, ((color >> 18) & 31) / 31);
    const yellowBlue = channel(3, 3, ((color >> 6) & 63) / 31.5 - 1, (((shape >> 3) & 63) / 63) * 1.25);
    const redGreen = channel(3, 3, ((color >> 12) & 63) / 31.5 - 1, (((shape >> 9) & 63) / 63) * 1.25);
    const opacity = hasAlpha ? channel(5, 5, (hash[5] & 15) / 15, (hash[5] >> 4) / 15) : () => 1;

    const width = Math.round(Math.min(side, (side * columns) / rows));
    const height = Math.round(Math.min(side, (side * rows) / columns));
    const cosines = (count) =>
      Array.from({ length: count }, (_, x) =>
        Array.from({ length: 7 }, (_, wave) => Math.cos((Math.PI / count) * (x + 0.5) * wave)),
      );
    const [across, down] = [cosines(width), cosines(height)];
    const pixels = new ImageData(width, height);
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i += 4) {
        const place = [across[x], down[y]];
        const [l, p, q] = [light(...place), yellowBlue(...place), redGreen(...place)];
        const blue = l - (2 / 3) * p;
        const red = (3 * l - blue + q) / 2;
        pixels.data.set([red, red - q, blue, opacity(...place)].map((value) => 255 * value), i);
      }
    }
    return pixels;
  }

  gallery.blur = (image) => {
    if (image.naturalWidth || !image.dataset.hash) return;
    const pixels = draw(Uint8Array.from(atob(image.dataset.hash), (byte) => byte.charCodeAt(0)));
    if (!pixels) return;
    const { width, height } = pixels;
    const canvas = element("canvas", { width, height, ariaHidden: "true" });
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    image.before(canvas);
    image.onload = () => canvas.remove();
  };

  // Drawing takes time, so those near the window are drawn.
  const drawNear = ({ isIntersecting, target }) => isIntersecting && (near.unobserve(target), gallery.blur(target));
  const near = new IntersectionObserver((entries) => entries.forEach(drawNear), { rootMargin: "500px" });
  for (const image of all("img[data-hash]")) near.observe(image);
}
