// Searches all months. The data of a month is a script that calls gallery.addMonth, since a browser refuses
// to fetch a file of a folder; it is loaded with the first search.
(() => {
  "use strict";

  const main = document.querySelector("main");
  const months = [...document.querySelectorAll("[data-file]")].map((link) => link.dataset.file);
  if (!months.length) return;

  const pageLength = 200;
  const pictures = [];
  let loaded = 0;
  let isLoading = false;
  let shown = pageLength;

  const { element, form: searchForm, words: wordsOf } = window.gallery;

  const input = element("input", { type: "search", id: "search", autocomplete: "off" });
  const status = element("span", { className: "faint", role: "status" });
  const form = searchForm(element("label", { htmlFor: "search", textContent: "Search" }), input, status);
  const grid = element("ul", { className: document.body.dataset.grid || "grid" });
  const more = element("button", { type: "button", textContent: "Show more" });
  const results = element("section", { hidden: true }, element("h2", { textContent: "Found" }), grid, more);
  document.querySelector("header").append(form);
  main.before(results);

  // Called by the data of each month with rows of
  // page, key, title, date, tile, width, height, badges, words, ThumbHash.
  window.gallery.addMonth = (rows) => {
    for (const [page, key, title, date, tile, width, height, badges, words, hash] of rows) {
      const text = [title, date, badges, words].join(" ").toLowerCase();
      pictures.push({ page, key, title, tile, width, height, badges, hash, text });
    }
  };

  function load() {
    if (isLoading) return;
    isLoading = true;
    for (const file of months) {
      const end = () => {
        loaded += 1;
        if (loaded === months.length) search();
        else status.textContent = `Reading ${loaded} of ${months.length} months`;
      };
      document.head.append(element("script", { src: file, async: false, onload: end, onerror: end }));
    }
  }

  function tile(picture) {
    const link = element("a", { href: `${picture.page}#${picture.key}` });
    if (picture.tile) {
      const { tile: src, width, height, title: alt } = picture;
      const image = element("img", { loading: "lazy", width, height, alt, src });
      image.dataset.hash = picture.hash;
      link.append(image);
      window.gallery.blur(image);
    } else link.append(element("span", { className: "name", textContent: picture.title }));
    if (picture.badges) {
      const badges = picture.badges.split("|").map((badge) => element("span", { textContent: badge }));
      link.append(element("span", { className: "badges" }, ...badges));
    }
    return element("li", {}, link);
  }

  function search() {
    const words = wordsOf(input.value);
    const isSearching = words.length > 0;
    results.hidden = !isSearching;
    main.hidden = isSearching;
    if (!isSearching) {
      status.textContent = "";
      return;
    }
    if (loaded < months.length) return load();
    const found = pictures.filter(({ text }) => words.every((word) => text.includes(word)));
    grid.replaceChildren(...found.slice(0, shown).map(tile));
    more.hidden = found.length <= shown;
    status.textContent = `${found.length} found`;
  }

  let timer = 0;
  input.addEventListener("input", () => {
    shown = pageLength;
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  more.addEventListener("click", () => {
    shown += pageLength;
    search();
  });
})();
