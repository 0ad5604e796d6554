// Shows the pictures of a page one at a time, in a dialog: arrow keys, Escape, i for details, swipes.
// Without this script each picture is a link to its file.
(() => {
  "use strict";

  const links = [...document.querySelectorAll(".grid a[data-view]")];
  if (!links.length || !window.HTMLDialogElement) return;

  const swipeLength = 40;
  let position = 0;
  let swipeStart = null;

  const { element } = window.gallery;
  const button = (text, action) =>
    element("button", { type: "button", textContent: text, onclick: action });

  const title = element("h2", { dir: "auto" });
  const count = element("span");
  const download = element("a", { textContent: "Download" });
  const live = button("Play live", () => play());
  const stage = element("div", { className: "stage" });
  const details = element("dl", { hidden: true });
  const detailsButton = button("Details", () => toggleDetails());
  detailsButton.setAttribute("aria-expanded", "false");
  const bar = element(
    "div",
    { className: "bar" },
    title,
    count,
    button("Previous", () => move(-1)),
    button("Next", () => move(1)),
    live,
    detailsButton,
    download,
    button("Close", () => dialog.close()),
  );
  const dialog = element("dialog", {}, bar, stage, details);
  dialog.setAttribute("aria-label", "Viewer");
  count.setAttribute("aria-live", "polite");
  document.body.append(dialog);

  function medium(link) {
    const { view, src = link.getAttribute("href"), type } = link.dataset;
    if (view === "video" || view === "audio") {
      return element(view, { src, controls: true, autoplay: true });
    }
    const picture = element("img", { src, alt: link.dataset.title });
    if (type) picture.dataset.type = type;
    return picture;
  }

  function show(index) {
    position = index;
    const link = links[index];
    const { title: name, original, movie } = link.dataset;
    title.textContent = name;
    count.textContent = `${index + 1} of ${links.length}`;
    download.hidden = !original;
    if (original) {
      download.href = original;
      download.download = link.dataset.name || "";
    }
    live.hidden = !movie;
    stage.replaceChildren(medium(link));
    showDetails(link);
    remember(link.parentElement.id);
    // The neighbors are there when they are wanted.
    for (const near of [links[index + 1], links[index - 1]]) {
      if (near && near.dataset.view === "image") new Image().src = near.dataset.src || near.href;
    }
  }

  function showDetails(link) {
    const rows = JSON.parse(link.dataset.details || "[]");
    details.replaceChildren(
      ...rows.flatMap(([term, text]) => [
        element("dt", { textContent: term }),
        element("dd", { textContent: text, dir: "auto" }),
      ]),
    );
  }

  function toggleDetails() {
    details.hidden = !details.hidden;
    detailsButton.setAttribute("aria-expanded", String(!details.hidden));
  }

  // The address names the picture, so that it can be shared; a browser may refuse that for a file.
  function remember(id) {
    try {
      history.replaceState(null, "", `#${id}`);
    } catch {
      return;
    }
  }

  // Past the ends of a page the neighboring page goes on.
  function move(step) {
    const next = position + step;
    if (links[next]) return show(next);
    const page = document.querySelector(step > 0 ? "a[rel=next]" : "a[rel=prev]");
    if (page) location.href = `${page.getAttribute("href")}#${step > 0 ? "first" : "last"}`;
  }

  function play() {
    const { movie } = links[position].dataset;
    if (movie) stage.replaceChildren(element("video", { src: movie, controls: true, autoplay: true }));
  }

  function open(index) {
    if (!dialog.open) dialog.showModal();
    show(index);
  }

  links.forEach((link, index) => {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      open(index);
    });
  });

  dialog.addEventListener("close", () => {
    stage.replaceChildren();
    links[position].focus();
  });

  // Behind an address that names a picture the browser moves the focus out of the dialog.
  document.addEventListener("keydown", (event) => {
    if (!dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
    // Arrow keys within a film move in the film.
    const isInFilm = event.target.matches("video, audio");
    if (event.key === "ArrowRight" && !isInFilm) move(1);
    else if (event.key === "ArrowLeft" && !isInFilm) move(-1);
    else if (event.key === "Home" && !isInFilm) show(0);
    else if (event.key === "End" && !isInFilm) show(links.length - 1);
    else if (event.key === "i") toggleDetails();
    else return;
    event.preventDefault();
  });

  stage.addEventListener("pointerdown", (event) => {
    swipeStart = event.isPrimary ? event : null;
  });
  stage.addEventListener("pointerup", (event) => {
    if (!swipeStart || event.target.matches("video, audio")) return;
    const [x, y] = [event.clientX - swipeStart.clientX, event.clientY - swipeStart.clientY];
    swipeStart = null;
    if (Math.abs(x) > swipeLength && Math.abs(x) > 2 * Math.abs(y)) move(x < 0 ? 1 : -1);
  });
  stage.addEventListener("dragstart", (event) => event.preventDefault());

  const wanted = location.hash.slice(1);
  if (wanted === "first") open(0);
  else if (wanted === "last") open(links.length - 1);
  else if (wanted) {
    const index = links.findIndex((link) => link.parentElement.id === wanted);
    if (index >= 0) open(index);
  }
})();
