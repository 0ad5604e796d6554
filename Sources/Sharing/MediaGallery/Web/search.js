// Searches the page, or all months: their data are scripts, since a browser refuses to fetch a file of a folder.
"use strict";

{
  const pageLength = 200;
  const files = all("[data-file]").map((link) => link.dataset.file);
  const others = [];
  let loaded = -1;
  let shown = pageLength;

  const field = one("#search");
  const found = one(".found");
  const heading = one("span", found);
  const [clear, more] = all("button", found);
  const textOf = (...texts) => texts.flat().join(" ").toLowerCase();

  function text(item) {
    const { title, when: date, camera, albums, kind, caption, keywords } = one("a", item).dataset;
    return (item.words ??= textOf(title, when(date), camera, albums, kind?.split(", ").map(badgeOf), caption, keywords));
  }

  // The data of each month calls it.
  gallery.addMonth = (rows) => {
    for (const [page, id, title, date, tile, width, height, marks, texts, hash] of rows) {
      const badges = marks ? marks.split("|").map(badgeOf) : [];
      others.push({ page, id, title, tile, width, height, badges, hash, text: textOf(title, when(date), texts, badges) });
    }
  };

  function load() {
    if (loaded >= 0) return;
    loaded = 0;
    heading.textContent = words("readingMonths");
    const onload = () => ++loaded === files.length && update();
    for (const file of files) document.head.append(element("script", { src: root + file, async: false, onload, onerror: onload }));
  }

  // A link to a picture of another page.
  function tileOf({ page, id, title, tile, width, height, badges = [], hash }) {
    const link = element("a", { href: `${root}${page}${location.search}#${id}` });
    const ratio = 5 * Math.min(60, Math.max(8, Math.round((20 * width) / height))) || 135;
    if (tile) {
      const image = element("img", { loading: "lazy", width, height, alt: title, src: root + tile });
      if (hash) image.dataset.hash = hash;
      link.append(image);
      gallery.blur(image);
    } else link.append(element("span", { className: "name", dir: "auto", textContent: title }));
    const spans = badges.map((textContent) => element("span", { className: "badge", textContent }));
    link.append(element("span", { className: "badges" }, ...spans));
    return element("li", { className: `r${ratio}` }, link);
  }

  // Shows some pictures as one stream: those of the page, and those of other pages.
  function show(isWanted, rest = []) {
    const isFlat = !!isWanted;
    for (const item of items) item.hidden = isFlat && !isWanted(item);
    for (const part of all(".month")) part.hidden = isFlat && !one(".grid > li:not([hidden])", part);
    for (const other of all(".shelf, .cover, .plain-cover, .scrubber")) other.hidden = isFlat;
    document.body.classList.toggle("flat", isFlat);
    one(".grid", found).replaceChildren(...rest.slice(0, shown).map(tileOf));
    found.hidden = !isFlat;
    more.hidden = rest.length <= shown;
    clear.hidden = true;
  }

  // Favorites are shown where nothing is searched.
  function update() {
    const wanted = field.value.toLowerCase().match(/\S+/g) ?? [];
    if (!wanted.length) {
      const favorites = gallery.favorites();
      show(favorites?.isOn, favorites?.elsewhere);
      heading.textContent = words("favorites");
      return;
    }
    if (files.length && loaded < files.length) {
      show(() => false);
      return load();
    }
    const isFound = (text) => wanted.every((word) => text.includes(word));
    const rest = others.filter((other) => isFound(other.text));
    show((item) => !files.length && isFound(text(item)), rest);
    const count = rest.length + items.filter((item) => !item.hidden).length;
    heading.textContent = words(count ? "found" : "nothingFound", { n: count, text: field.value.trim() });
    clear.hidden = count > 0;
  }
  gallery.update = update;

  let timer = 0;
  field.oninput = () => {
    shown = pageLength;
    clearTimeout(timer);
    timer = setTimeout(update, 100);
  };
  clear.onclick = () => {
    field.value = "";
    update();
    field.focus();
  };
  more.onclick = () => ((shown += pageLength), update());
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === field) clear.click();
    if (event.key !== "/" || event.target.matches("input, textarea") || one("dialog[open]")) return;
    event.preventDefault();
    field.focus();
  });
}
