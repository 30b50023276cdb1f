// What a person with eyes and fingers would object to on the page as it stands now. Returns sentences.
() => {
  const TAP = 24;
  const found = [];
  const seen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  const named = (element) => {
    const at = element.getBoundingClientRect();
    const words = element.dataset.tile ?? element.dataset.discard ?? element.dataset.move ?? element.textContent.trim().slice(0, 24);
    const box = [at.left, at.top, at.right, at.bottom].map((edge) => Math.round(edge)).join(" ");
    return `${element.tagName.toLowerCase()}.${element.className} "${words}" at ${box}`;
  };
  /** How wide each line of its words is. */
  const linesOf = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const lines = new Map();
    for (const { left, right, bottom } of range.getClientRects()) {
      const line = lines.get(Math.round(bottom)) ?? [Infinity, -Infinity];
      lines.set(Math.round(bottom), [Math.min(line[0], left), Math.max(line[1], right)]);
    }
    return [...lines.values()].map(([left, right]) => right - left);
  };
  const covered = (element) => element.closest("[inert]") !== null;

  // The page itself never scrolls, and nothing sticks out of what cuts it off. A sheet, a book and the first page may
  // scroll downwards.
  const { scrollWidth, scrollHeight } = document.documentElement;
  const scrolling = document.querySelector(".house") !== null;
  if (scrollWidth > innerWidth || (scrollHeight > innerHeight && !scrolling)) found.push(`the page scrolls: ${scrollWidth} x ${scrollHeight}`);
  for (const element of all(".tile, .plate, .plate .score, .back, .centre, .clock, .prompt, .sheet td, .sheet th, .sheet p, .sheet h2, .book :is(p, h2, h3), .why p, button")) {
    if (element.closest(".quiet") !== null) continue;
    const at = element.getBoundingClientRect();
    let scrolls = scrolling;
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const style = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      if (style.overflowX !== "visible" && (at.left < edge.left - 0.5 || at.right > edge.right + 0.5)) {
        found.push(`cut off sideways: ${named(element)} by ${around.className}`);
      }
      scrolls ||= ["auto", "scroll"].includes(style.overflowY);
      if (!scrolls && style.overflowY !== "visible" && (at.top < edge.top - 0.5 || at.bottom > edge.bottom + 0.5)) {
        found.push(`cut off: ${named(element)} by ${around.className}`);
      }
    }
    if (at.left < -0.5 || at.right > innerWidth + 0.5 || (!scrolls && (at.top < -0.5 || at.bottom > innerHeight + 0.5))) {
      found.push(`off the screen: ${named(element)}`);
    }
  }

  // A number in a table is neither broken nor cut.
  for (const cell of all(".sheet td:not(:first-child, .clause)")) {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    if (lines.size > 1 || cell.scrollWidth > cell.clientWidth + 1) found.push(`does not fit: ${named(cell)}`);
  }

  // A citation is broken only where a line cannot hold it; a mark on a plate is shown whole or not at all.
  for (const place of all(".book .place, .sheet .place")) {
    const range = document.createRange();
    range.selectNodeContents(place);
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(`broken: ${named(place)}`);
  }
  for (const mark of all(".plate .mark")) {
    const at = mark.getBoundingClientRect();
    const row = mark.parentElement.getBoundingClientRect();
    const hidden = at.top >= row.bottom - 1;
    if (!hidden && (at.left < row.left - 0.5 || at.right > row.right + 0.5 || at.bottom > row.bottom + 0.5)) found.push(`cut: ${named(mark)}`);
  }

  // A list has room for the longest of what it offers, and words about a switch have a line to themselves.
  for (const list of all("select")) {
    const free = list.cloneNode(true);
    free.style.cssText = "position: absolute; inline-size: max-content; max-inline-size: none; visibility: hidden";
    list.after(free);
    const wanted = free.getBoundingClientRect().width;
    free.remove();
    if (list.getBoundingClientRect().width < wanted - 1) found.push(`its choices do not fit: ${named(list)}`);
  }
  for (const hint of all(".switches small")) {
    if (hint.getBoundingClientRect().width < hint.closest("label").getBoundingClientRect().width - 1) found.push(`squeezed: ${named(hint)}`);
  }

  // The way out of a book stands beside the list of books, not under it, in two lines of words at most.
  for (const way of all("[data-close-book]")) {
    const list = way.closest("header").querySelector("select");
    if (linesOf(way).length > 2) found.push(`in many lines: ${named(way)}`);
    if (list !== null && way.getBoundingClientRect().top >= list.getBoundingClientRect().bottom - 1) found.push(`under the list: ${named(way)}`);
  }

  // In a table nothing is cut, or broken onto another line for want of room that other columns do not need.
  for (const table of all(".sheet table")) {
    const rows = [...table.rows].filter((row) => row.closest(".quiet") === null);
    const spare = [];
    for (const row of rows) {
      for (const cell of row.cells) {
        if (cell.colSpan > 1) continue;
        const { paddingLeft, paddingRight } = getComputedStyle(cell);
        const free = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - Math.max(0, ...linesOf(cell));
        spare[cell.cellIndex] = Math.min(spare[cell.cellIndex] ?? Infinity, free);
      }
    }
    for (const row of rows) {
      for (const cell of row.cells) {
        const room = spare.reduce((sum, free, column) => sum + (column === cell.cellIndex ? 0 : Math.max(free, 0)), 0);
        for (const words of [cell, ...cell.querySelectorAll("*")]) {
          if (words.scrollWidth > words.clientWidth + 1 && getComputedStyle(words).overflowX !== "visible") found.push(`cut: ${named(words)}`);
          const lines = linesOf(words);
          const wanted = lines.reduce((sum, line) => sum + line, 0) - Math.max(0, ...lines);
          const plain = [...words.childNodes].every((node) => node.nodeType === Node.TEXT_NODE);
          if (plain && cell.colSpan === 1 && lines.length > 1 && wanted < room) found.push(`broken beside ${Math.round(room)} free: ${named(words)}`);
        }
      }
    }
  }

  // What is said for a while does not lie over a sheet.
  if (all(".sheet").length > 0) for (const notice of all(".notice")) found.push(`lies over the sheet: ${named(notice)}`);

  // Things lie beside each other.
  const things = all(".stage :is(.tile, .back, .plate, .centre, .prompt, .clock), main button:not(.sheet *, .why *, [data-stopped] *)")
    .map((element) => [element, element.getBoundingClientRect()]);
  things.forEach(([one, a], order) => {
    for (const [other, b] of things.slice(order + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 1 && height > 1) found.push(`${named(one)} lies over ${named(other)}`);
    }
  });

  // Every control can be hit where one would aim, is large enough for a finger, and shows all its words.
  const controls = all("button:not(:disabled), a[href], select, summary, input").filter((element) => !covered(element));
  if (controls.length === 0) found.push("there is nothing to press");
  for (const control of controls) {
    if (control.closest(".sheet, .book, .house, .why, .chat") !== null) control.scrollIntoView({ block: "center" });
    const at = control.getBoundingClientRect();
    if (at.width < TAP || at.height < TAP) found.push(`too small to tap: ${named(control)}`);
    const hit = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
    if (!control.contains(hit)) found.push(`covered: ${named(control)} by ${hit === null ? "nothing" : named(hit)}`);
    if (control.scrollWidth > control.clientWidth + 1 && !control.matches("input, select")) found.push(`words do not fit: ${named(control)}`);
  }
  return [...new Set(found)];
}
