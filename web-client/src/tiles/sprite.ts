import faces from "./faces.svg?raw";

/** Put the drawings of all tiles into the page once; every tile then refers to them by id. */
export function placeFaces(page: Document): void {
  if (page.getElementById("tile-faces") !== null) return;
  const sprite = new DOMParser().parseFromString(faces, "image/svg+xml").documentElement;
  sprite.id = "tile-faces";
  sprite.setAttribute("class", "tile-faces");
  sprite.setAttribute("aria-hidden", "true");
  page.body.prepend(page.importNode(sprite, true));
}
