// The frame of each page: top bar, view, place in time. All scripts share its first part.
"use strict";

const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const icon = (name) => {
  const drawing = one("svg.i").cloneNode(true);
  drawing.firstElementChild.setAttribute("href", `#i-${name}`);
  return drawing;
};
// The way from a page to the folder of the gallery.
const { root } = document.body.dataset;
const items = all(".month .grid > li");

// What this browser keeps; some keep nothing for files.
const store = {
  keeps: true,
  key: (name) => `mediabatch:${document.body.dataset.gallery}:${name}`,
  try(action) {
    try {
      return action();
    } catch {
      store.keeps = false;
    }
  },
  get: (name, other) => store.try(() => JSON.parse(localStorage.getItem(store.key(name)))) ?? other,
  set: (name, value) => store.try(() => localStorage.setItem(store.key(name), JSON.stringify(value))),
};

// A date of the catalogue as people write it, and its time.
const formatOf = (options) => new Intl.DateTimeFormat(words.locale, options);
const formats = { long: formatOf({ dateStyle: "long" }), full: formatOf({ dateStyle: "full" }), time: formatOf({ timeStyle: "short" }) };
function when(text = "", style = "long") {
  const hasTime = text.length > 10;
  const date = new Date(hasTime ? text : `${text}T00:00`);
  if (text.length < 10 || isNaN(date)) return [text];
  return [formats[style].format(date), ...(hasTime ? [formats.time.format(date)] : [])];
}
// A word of a badge, or how long something plays.
const badgeOf = (name) => (/^\d/.test(name) ? name : words(`badge.${name}`));
const isMirrored = document.dir === "rtl";

words.show();
{
  const heading = one(".month h1 bdi");
  // One with a password does not tell its title to the browser's history.
  if (heading && document.title.endsWith(document.body.dataset.title)) document.title = `${heading.textContent} – ${document.body.dataset.title}`;
  // Pages that are linked have the language that was asked for.
  const { search } = location;
  for (const link of document.links) if (search && link.pathname.endsWith(".html")) link.search = search;
}

// What scripts do for each other.
const gallery = {};

{
  // Top bar: clear over the cover, glass below it.
  const [bar, cover, scrubber] = [".top", ".cover", ".scrubber"].map((name) => one(name));
  const watch = (name, item, rootMargin) =>
    new IntersectionObserver(([entry]) => item.classList.toggle(name, entry.isIntersecting), { rootMargin }).observe(cover);
  if (cover) watch("over", bar, "-60px 0px 0px");
  if (cover && scrubber) watch("away", scrubber, "0px 0px -70%");

  const stream = one(".stream");
  const areSquares = stream.classList.contains("squares");
  const { style } = document.documentElement;
  function applyView() {
    const size = store.get("size", 0);
    stream.classList.toggle("squares", store.get("squares", areSquares));
    style.setProperty("--scale", 1.35 ** size);
    style.setProperty("--columns", size ? "auto-fill" : "");
    endRows();
  }
  const keep = (name, value) => (store.set(name, value), applyView());
  const size = one("#size");
  size.value = store.get("size", 0);
  size.oninput = () => keep("size", +size.value);
  for (const choice of all("[name=layout]")) {
    choice.checked = (choice.value === "squares") === store.get("squares", areSquares);
    choice.onchange = () => keep("squares", choice.value === "squares");
  }

  // The newest end with a whole row.
  function endRows() {
    for (const { children } of all(".grid.cut")) {
      for (const item of children) item.classList.remove("rest");
      const rest = [...children].filter((item, _, all) => item.offsetTop === all.at(-1).offsetTop);
      if (rest.length < children.length) for (const item of rest) item.classList.add("rest");
    }
  }
  applyView();
  addEventListener("resize", endRows);

  const seen = new IntersectionObserver(
    (entries) => {
      // Of months beside each other, the first one.
      for (const { isIntersecting, target } of entries.reverse()) {
        if (!isIntersecting) continue;
        for (const link of all(".scrubber a")) link.ariaCurrent = link.hash === `#${target.id}` || null;
        one(".where").textContent = one("h1 bdi, h2 bdi", target).textContent;
      }
    },
    { rootMargin: "-20% 0px -75%" },
  );
  for (const month of all(".stream .month")) seen.observe(month);
  let still = 0;
  function move() {
    scrubber.classList.add("moving");
    clearTimeout(still);
    still = setTimeout(() => scrubber.classList.remove("moving"), 1200);
  }
  if (scrubber) addEventListener("scroll", move);
}
