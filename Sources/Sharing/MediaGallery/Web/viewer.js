// Shows one picture in the whole window; opening it is a step of the history.
"use strict";

{
  const links = () => all(".grid > li:not([hidden]) > a[data-title]");
  const neighbor = (step) => one(step > 0 ? "a[rel=next]" : "a[rel=prev]");
  const isMedium = (target) => target.matches("video, audio");
  const isSpecial = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

  const [idleAfter, slideLength] = [3000, 4000];
  let current = null;
  let isPushed = false;
  let zoom = 1;
  let [panX, panY] = [0, 0];
  let slides = 0;

  const dialog = one(".viewer");
  const names = ".shut .like .slides .about .save .livebadge .stage .prev .next .film .sorry .hide .facts".split(" ");
  const [shut, heart, slideshow, info, save, live, stage, previous, next, strip, sorry, hide, facts] = names.map((name) => one(name, dialog));
  const [title, date, count] = ["h2", "p", ".count"].map((name) => one(name, dialog));

  const showHeart = () => (heart.ariaPressed = gallery.isFavorite(current.parentElement));

  function show(link) {
    current = link;
    const list = links();
    const index = list.indexOf(link);
    const { title: name, src, view, movie } = link.dataset;
    title.textContent = name;
    date.textContent = when(link.dataset.when).join(" · ");
    count.textContent = words("chosenOf", { n: index + 1, count: list.length });
    save.hidden = !(src || view);
    save.href = link.href;
    save.download = link.dataset.name ?? "";
    live.hidden = !movie;
    sorry.textContent = "";
    previous.disabled = !list[index - 1] && !neighbor(-1);
    next.disabled = !list[index + 1] && !neighbor(1);
    const still = element("img", { src: src ?? link.href, alt: name, draggable: false });
    // At most twice its size.
    still.onload = () => (still.style.maxWidth = `${2 * still.naturalWidth}px`);
    const onerror = () => link === current && (tell(view === "audio" ? "recording" : "film"), stage.replaceChildren(src ? still : ""));
    // A browser may know its sound alone.
    const onloadeddata = ({ target }) => target.videoWidth === 0 && onerror();
    const film = { src: link.href, controls: true, autoplay: true, onerror, onloadeddata, onended: () => slides && move(1) };
    stage.replaceChildren(view ? element(view, film) : still);
    zoomTo(1);
    about(link.dataset);
    showStrip(list, index);
    showHeart();
    if (slides) slide(true);
    history.replaceState(null, "", `#${link.parentElement.id}`);
    for (const near of [list[index + 1], list[index - 1]]) if (near && !near.dataset.view) new Image().src = near.dataset.src ?? near.href;
  }

  function showStrip(list, index) {
    const cells = list.slice(Math.max(0, index - 18), index + 19).map((link) => {
      const image = element("img", { src: one("img", link)?.src ?? "", alt: link.dataset.title });
      const cell = element("button", { type: "button", tabIndex: -1, onclick: () => show(link) }, image);
      cell.ariaCurrent = link === current || null;
      return cell;
    });
    strip.replaceChildren(...cells);
    const cell = one("[aria-current]", strip);
    strip.scrollLeft = cell.offsetLeft + (cell.offsetWidth - strip.clientWidth) / 2;
  }

  // What stripping took away is absent.
  function about({ title, when: at, pixels, bytes, camera, albums, kind, symbol, caption, keywords }) {
    const [width, height] = pixels?.split("x") ?? [];
    const megapixels = Math.ceil((width * height) / 1e5) / 10;
    const size = bytes && words.size(bytes);
    const area = pixels && [`${words.number.format(megapixels)} MP`, size].filter(Boolean).join(" · ");
    const rows = [
      ["clock", "fact.date", ...when(at, "full")],
      ["photo", "size", pixels ? `${width} × ${height}` : size, area],
      ["text", "fact.label", title, keywords],
      ["camera", "fact.camera", camera],
      ["folder", "albums", albums],
      [symbol, "fact.kind", kind?.split(", ").map(badgeOf).join(" · ")],
    ];
    const text = (textContent) => element("dd", { textContent, dir: "auto" });
    const row = ([name, key, ...texts]) =>
      element("div", {}, element("dt", {}, icon(name), element("span", { className: "sr", textContent: words(key) })), ...texts.filter(Boolean).map(text));
    facts.replaceChildren(...rows.filter(([, , known]) => known).map(row));
    one(".caption", dialog).textContent = caption ?? "";
  }

  function details() {
    const isOpen = dialog.classList.toggle("info");
    info.ariaExpanded = isOpen;
    (isOpen ? hide : info).focus();
  }

  function tell(what) {
    sorry.textContent = words(`cannotPlay.${what}`);
  }

  // Past its ends the neighboring page goes on.
  function move(step) {
    const list = links();
    const target = list[list.indexOf(current) + step];
    if (target) return show(target);
    const page = neighbor(step);
    if (page) location.replace(`${page.href}#${step > 0 ? "first" : "last"}`);
    else slide(false);
  }

  function slide(isOn) {
    clearTimeout(slides);
    slides = isOn ? setTimeout(() => one("video, audio", stage) || move(1), slideLength) : 0;
    slideshow.ariaPressed = isOn;
  }

  // A live photo plays while the badge, the picture or L is held.
  function play(isOn) {
    if (live.hidden || live.ariaPressed === String(isOn)) return;
    live.ariaPressed = isOn;
    const [still, playing] = stage.children;
    playing?.remove();
    still.hidden = false;
    if (!isOn) return;
    const movie = element("video", { src: current.dataset.movie, autoplay: true, playsInline: true });
    movie.onerror = () => (play(false), tell("live"));
    movie.onplaying = () => (movie.videoWidth ? (still.hidden = true) : movie.onerror());
    stage.append(movie);
  }
  live.onpointerdown = () => play(true);
  live.onpointerup = live.onpointerleave = () => play(false);

  function zoomTo(factor, { clientX: x = 0, clientY: y = 0 } = {}) {
    const before = zoom;
    zoom = Math.min(6, Math.max(1, factor));
    const pan = (from, old) => (zoom > 1 ? from - ((from - old) * zoom) / before : 0);
    [panX, panY] = [pan(x && x - stage.clientWidth / 2, panX), pan(y && y - stage.clientHeight / 2, panY)];
    stage.classList.toggle("zoomed", zoom > 1);
    put();
  }
  function put(x = panX, y = panY) {
    const picture = one("img", stage);
    if (picture) picture.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
  }
  stage.ondblclick = (event) => zoomTo(zoom > 1 ? 1 : 2.5, event);
  stage.onwheel = (event) => {
    event.preventDefault();
    zoomTo(zoom * (event.deltaY < 0 ? 1.15 : 0.87), event);
  };

  const fingers = new Map();
  const vector = (a, b) => [a.clientX - b.clientX, a.clientY - b.clientY];
  const distance = (a, b) => Math.hypot(...vector(a, b));
  let start = null;
  let hold = 0;
  stage.onpointerdown = (event) => {
    if (isMedium(event.target)) return;
    fingers.set(event.pointerId, event);
    stage.setPointerCapture(event.pointerId);
    const [a, b] = fingers.values();
    start = { at: a, panX, panY, zoom, spread: b && distance(a, b) };
    clearTimeout(hold);
    if (!b) hold = setTimeout(play, 350, true);
  };
  stage.onpointermove = (event) => {
    if (!fingers.has(event.pointerId) || !start) return;
    fingers.set(event.pointerId, event);
    const [a, b] = fingers.values();
    if (b && start.spread) return zoomTo((start.zoom * distance(a, b)) / start.spread, a);
    const [x, y] = vector(a, start.at);
    if (Math.hypot(x, y) > 8) clearTimeout(hold);
    if (zoom > 1) put((panX = start.panX + x), (panY = start.panY + y));
    else put(x, Math.max(0, y));
  };
  stage.onpointerup = stage.onpointercancel = (event) => {
    clearTimeout(hold);
    if (!fingers.delete(event.pointerId) || !start) return;
    const [x, y] = vector(event, start.at);
    start = null;
    if (fingers.size) return;
    const wasPlaying = live.ariaPressed === "true";
    play(false);
    if (zoom > 1) return;
    put();
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) move(x < 0 !== isMirrored ? 1 : -1);
    else if (y > 90 && y > 2 * Math.abs(x)) close();
    else if (Math.hypot(x, y) < 8 && event.pointerType === "touch" && !wasPlaying) dialog.classList.toggle("idle");
  };

  // Controls go when nothing moves, unless keys are on them.
  let idle = 0;
  function wake({ pointerType } = {}) {
    if (pointerType === "touch") return;
    dialog.classList.remove("idle");
    clearTimeout(idle);
    idle = setTimeout(() => dialog.classList.toggle("idle", !one(":focus-visible", dialog) && !dialog.matches(".info")), idleAfter);
  }
  for (const name of ["pointermove", "keydown", "focusin"]) dialog.addEventListener(name, wake);

  function open(link, isNew) {
    if (!dialog.open) {
      if (isNew) history.pushState(null, "", `#${link.parentElement.id}`);
      isPushed = isNew;
      dialog.showModal();
      shut.focus({ focusVisible: false });
    }
    show(link);
    wake();
  }
  function close() {
    if (isPushed) return history.back();
    history.replaceState(null, "", location.pathname + location.search);
    leave();
  }
  function leave() {
    if (!dialog.open) return;
    slide(false);
    play(false);
    dialog.classList.remove("info", "idle");
    dialog.close();
    stage.replaceChildren();
    gallery.filter();
    current.focus();
    current.scrollIntoView({ block: "nearest" });
  }
  dialog.oncancel = (event) => (event.preventDefault(), close());
  shut.onclick = close;
  heart.onclick = () => (gallery.toggle(current.parentElement), showHeart());
  slideshow.onclick = () => slide(!slides);
  info.onclick = hide.onclick = details;
  previous.onclick = () => move(-1);
  next.onclick = () => move(1);

  addEventListener("click", (event) => {
    const link = event.target.closest?.(".grid a[data-title]");
    if (!link || event.shiftKey || isSpecial(event)) return;
    event.preventDefault();
    open(link, true);
  });

  const actions = {
    [isMirrored ? "ArrowLeft" : "ArrowRight"]: () => next.click(),
    [isMirrored ? "ArrowRight" : "ArrowLeft"]: () => previous.click(),
    Home: () => show(links()[0]),
    End: () => show(links().at(-1)),
    f: () => heart.click(),
    i: details,
    d: () => save.hidden || save.click(),
    l: () => play(true),
    s: () => slideshow.click(),
    "+": () => zoomTo(zoom * 1.5),
    "-": () => zoomTo(zoom / 1.5),
    0: () => zoomTo(1),
  };
  addEventListener("keydown", (event) => {
    if (!dialog.open || isSpecial(event) || isMedium(event.target)) return;
    const film = event.key === " " && event.target === shut && one("[controls]", stage);
    if (film) event.preventDefault(film.paused ? film.play() : film.pause());
    const action = actions[event.key];
    if (!action || (event.repeat && event.key === "l")) return;
    event.preventDefault();
    action();
  });
  addEventListener("keyup", (event) => event.key === "l" && dialog.open && play(false));

  // An address that names a picture opens it.
  function follow() {
    const name = location.hash.slice(1);
    const list = links();
    const link = { first: list[0], last: list.at(-1) }[name] ?? list.find(({ parentElement }) => parentElement.id === name);
    if (link) open(link, false);
    else leave();
  }
  addEventListener("popstate", follow);
  follow();
}
