// For every face with an index in its corner: does the drawing come near the index, or leave the tile? Returns names.
async () => {
  const WIDE = 240;
  const HIGH = 320;
  const ink = async (drawing) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${HIGH}" viewBox="0 0 60 80">${drawing}</svg>`;
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = new OffscreenCanvas(WIDE, HIGH);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, WIDE, HIGH).data.filter((_, at) => at % 4 === 3);
  };
  const edge = (at) => at < WIDE || at >= WIDE * (HIGH - 1) || at % WIDE === 0 || at % WIDE === WIDE - 1;
  const faces = [...document.querySelectorAll("#tile-faces symbol[id^='indexed-']")];
  const found = await Promise.all(faces.map(async (face) => {
    const [use, sign] = face.children;
    const drawing = document.querySelector(use.getAttribute("href")).innerHTML;
    // An outline round the sign stands for the room that it needs to be read.
    const roomy = sign.outerHTML.replace("<path", '<path stroke="black" stroke-width="1.6"');
    const art = await ink(`<g transform="${use.getAttribute("transform")}">${drawing}</g>`);
    const room = await ink(roomy);
    const touches = art.some((alpha, at) => alpha > 0 && room[at] > 0);
    const leaves = art.some((alpha, at) => alpha > 0 && edge(at));
    return art.some((alpha) => alpha > 0) && room.some((alpha) => alpha > 0) && !touches && !leaves ? null : face.id;
  }));
  return { faces: faces.length, wrong: found.filter((name) => name !== null) };
}
