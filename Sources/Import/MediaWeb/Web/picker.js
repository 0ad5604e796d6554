// The names to select from, newest first. The page's process searches and keeps the selection: each change is sent
// to it, and a page that is opened again asks for it.
import { ask, fail, say } from "/page.js";
import { Pictures } from "/pictures.js";

const waitBeforeSearch = 150;
const longPress = 450;
const isMirrored = document.dir === "rtl";

export async function openPicker(opener, answer) {
  const part = (id) => document.getElementById(id);
  const [picker, form, list, big, only] = ["picker", "find", "names", "big", "only"].map(part);
  const limit = Number(picker.dataset.limit) || Infinity;
  const selected = new Set();
  const pictures = new Pictures();
  const prevent = (event) => event.preventDefault();
  const note = (text) => (part("found").textContent = text);
  const cells = () => [...list.querySelectorAll(".cell")];
  const boxOf = (cell) => cell.querySelector("input");
  const watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && load(end), { rootMargin: "600px" });
  let [end, total, latest] = [0, 0, 0];
  let last = null;
  let sending = Promise.resolve();

  function open(isOpen) {
    picker.hidden = !isOpen;
    part("question").hidden = isOpen;
    document.body.classList.toggle("picking", isOpen);
    (isOpen ? part("picker-title") : opener).focus();
  }

  /** Sends a change; one is sent after the other. */
  function send(words) {
    sending = sending.then(() => ask("/selection", words)).catch(fail);
  }

  /** Selects the items of cells, or takes them back, as far as the limit goes. */
  function select(changed, isOn) {
    const boxes = changed.map(boxOf).filter((box) => selected.has(box.value) !== isOn);
    const taken = isOn ? boxes.slice(0, Math.max(limit - selected.size, 0)) : boxes;
    for (const box of taken) {
      if (isOn) selected.add(box.value);
      else selected.delete(box.value);
    }
    if (taken.length) send([isOn ? "add" : "remove", ...taken.map((box) => box.value)].join(" "));
    count();
  }

  function count() {
    const number = selected.size;
    const isFull = number >= limit;
    part("count").textContent = words(number ? "ask.selected" : "ask.noneSelected", { n: number });
    part("most").textContent = isFull ? words("ask.most") : limit < Infinity ? words("ask.upTo", { n: limit }) : "";
    part("done").textContent = words(number ? "ask.onlyThese" : "ask.picker", { n: number });
    for (const id of ["done", "clear"]) part(id).disabled = !number;
    only.disabled = !number && only.ariaPressed === "false";
    for (const cell of cells()) {
      const box = boxOf(cell);
      box.checked = selected.has(box.value);
      box.disabled = isFull && !box.checked;
    }
    for (const section of list.querySelectorAll("section")) {
      const whole = [...section.querySelectorAll("input")].every((box) => box.checked);
      const button = section.querySelector("h2 button");
      button.dataset.on = !whole;
      button.textContent = words(whole ? "ask.deselect" : "ask.selectAll");
    }
  }

  /** Puts items into the sections of their months. */
  function append(html) {
    const more = document.createRange().createContextualFragment(html);
    words.show(more);
    for (const item of more.querySelectorAll("li[data-month]")) {
      let section = list.lastElementChild;
      if (section?.dataset.month !== item.dataset.month) {
        section = document.createElement("section");
        section.dataset.month = item.dataset.month;
        section.innerHTML = '<h2><span></span><button type="button"></button></h2><ul class="cells"></ul>';
        const { month } = item.dataset;
        section.querySelector("span").textContent = /^\d/.test(month) ? words.date(month) : words(month);
        section.querySelector("button").addEventListener("click", () => selectMonth(section));
        list.append(section);
      }
      const box = item.querySelector("input");
      box.tabIndex = list.querySelector("input") ? -1 : 0;
      section.lastElementChild.append(item);
    }
    return more.querySelector("#range").dataset;
  }

  async function load(from) {
    latest += 1;
    const mine = latest;
    const query = new URLSearchParams({ search: part("search").value, kind: form.elements.kind.value, from });
    const album = form.elements.album?.value;
    if (album) query.set("album", album);
    if (only.ariaPressed === "true") query.set("only", "selected");
    try {
      let response = await ask(`/names?${query}`);
      // The folder is large.
      while (response.status === 202 && mine === latest) {
        note(await response.text());
        response = await ask(`/names?${query}`);
      }
      const html = await response.text();
      // A later search has overtaken this one.
      if (mine !== latest) return;
      if (from === 0) {
        pictures.clear();
        list.replaceChildren();
        last = null;
      }
      const range = append(html);
      [end, total] = [Number(range.end), Number(range.total)];
      pictures.watch(list);
      part("more").hidden = end >= total;
      watcher.unobserve(part("more"));
      watcher.observe(part("more"));
      const unlisted = range.unlisted ? ` ${words("ask.unlisted", { n: Number(range.unlisted) })}` : "";
      note(words("ask.names", { n: total }) + unlisted);
      const none = words(query.toString().length > 20 ? "ask.nothingFound" : "ask.noPhotosHere");
      if (!total) list.replaceChildren(Object.assign(document.createElement("p"), { textContent: none }));
      count();
    } catch (error) {
      note("");
      fail(error);
    }
  }

  async function selectMonth(section) {
    const isOn = section.querySelector("h2 button").dataset.on === "true";
    // The rest of the month may not be loaded yet.
    while (isOn && section === list.lastElementChild && end < total && selected.size < limit) {
      const before = end;
      await load(end);
      if (end === before) break;
    }
    select([...section.querySelectorAll(".cell")], isOn);
  }

  function range(from, to) {
    const all = cells();
    const [first, second] = [all.indexOf(from), all.indexOf(to)].sort((one, other) => one - other);
    return all.slice(Math.max(first, 0), second + 1);
  }

  /** Shows an item larger. */
  function enlarge(cell) {
    last = cell;
    const picture = cell.querySelector("img");
    const large = big.querySelector("img");
    large.hidden = !picture;
    if (picture) large.src = picture.src;
    big.querySelector("bdi").textContent = cell.dataset.name;
    const { albums, taken, size } = cell.dataset;
    big.querySelector("small").textContent = [albums, taken && words.date(taken), words.size(size)].filter(Boolean).join(" · ");
    const tick = part("bigtick");
    tick.textContent = words(boxOf(cell).checked ? "ask.deselect" : "ask.select");
    tick.disabled = boxOf(cell).disabled;
    if (!big.open) big.showModal();
  }

  function toggle(cell) {
    if (!boxOf(cell).disabled) select([cell], !boxOf(cell).checked);
    if (big.open) enlarge(cell);
  }

  /** Goes over the cells by keys. */
  function press(event) {
    const cell = big.open ? last : event.target.closest?.(".cell");
    if (!cell) return;
    const all = cells();
    const here = all.indexOf(cell);
    const { left, top } = cell.getBoundingClientRect();
    const vertical = (sign) =>
      (sign > 0 ? all.slice(here + 1) : all.slice(0, here).reverse()).find((other) => {
        const box = other.getBoundingClientRect();
        return Math.abs(box.left - left) < 4 && (box.top - top) * sign > 4;
      });
    const next = {
      [isMirrored ? "ArrowLeft" : "ArrowRight"]: () => all[here + 1],
      [isMirrored ? "ArrowRight" : "ArrowLeft"]: () => all[here - 1],
      ArrowDown: () => vertical(1),
      ArrowUp: () => vertical(-1),
      Home: () => all[0],
      End: () => all.at(-1),
    }[event.key];
    if (next) {
      prevent(event);
      const target = next();
      if (!target) return;
      if (event.shiftKey) select([cell, target], true);
      last = target;
      if (big.open) enlarge(target);
      else boxOf(target).focus();
    } else if ([" ", "Enter"].includes(event.key) && !event.target.matches("button")) {
      prevent(event);
      if (event.key === "Enter") toggle(cell);
      else if (big.open) big.close();
      else enlarge(cell);
    }
  }

  /** Clicks, ranges by Shift or by drawing over cells, and a long press that shows one larger. */
  function point() {
    let start, before, isShift, ignoresClick, timer;
    list.addEventListener("pointerdown", (event) => {
      const cell = event.target.closest(".cell");
      [isShift, ignoresClick, before] = [event.shiftKey, false, null];
      start = cell && event.button === 0 ? { cell, x: event.clientX, y: event.clientY } : null;
      if (!start) return;
      timer = setTimeout(() => {
        [ignoresClick, start] = [true, null];
        enlarge(cell);
      }, longPress);
    });
    addEventListener("pointermove", (event) => {
      if (!start || !event.buttons) return;
      const [across, down] = [Math.abs(event.clientX - start.x), Math.abs(event.clientY - start.y)];
      if (across < 8 && down < 8) return;
      clearTimeout(timer);
      const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
      // On a touch screen only a drawing that begins sideways; the other scrolls.
      if (!before && (!cell || cell === start.cell || (event.pointerType === "touch" && across < down))) return;
      before ??= { had: new Set(selected), isOn: !boxOf(start.cell).checked };
      if (!cell || !list.contains(cell)) return;
      ignoresClick = true;
      const drawn = new Set(range(start.cell, cell));
      const isWanted = (other) => (drawn.has(other) ? before.isOn : before.had.has(boxOf(other).value));
      select(cells().filter((other) => !isWanted(other)), false);
      select(cells().filter(isWanted), true);
      last = cell;
    });
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, () => {
        clearTimeout(timer);
        start = null;
      });
    }
    list.addEventListener("click", (event) => ignoresClick && prevent(event), true);
    for (const name of ["contextmenu", "dragstart"]) list.addEventListener(name, prevent);
    list.addEventListener("change", (event) => {
      const cell = event.target.closest(".cell");
      select(isShift && last?.isConnected ? range(last, cell) : [cell], event.target.checked);
      [last, isShift] = [cell, false];
    });
  }

  function wire() {
    let timer;
    form.addEventListener("submit", prevent);
    part("search").addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(load, waitBeforeSearch, 0);
    });
    form.addEventListener("change", (event) => {
      if (["kind", "album"].includes(event.target.name)) load(0);
    });
    part("size").addEventListener("input", () => list.style.setProperty("--cell", `${part("size").value}px`));
    part("more").addEventListener("click", () => load(end));
    part("clear").addEventListener("click", () => {
      selected.clear();
      send("clear");
      count();
      part("picker-title").focus();
    });
    only.addEventListener("click", () => {
      const isOn = only.ariaPressed !== "true";
      only.ariaPressed = `${isOn}`;
      only.textContent = words(isOn ? "showAll" : "show");
      load(0);
    });
    part("done").addEventListener("click", () => sending.then(() => answer("select")));
    part("back").addEventListener("click", () => open(false));
    part("bigtick").addEventListener("click", () => toggle(last));
    part("bigclose").addEventListener("click", () => big.close());
    big.addEventListener("close", () => last && boxOf(last).focus());
    list.addEventListener("focusin", (event) => {
      if (!event.target.matches("input")) return;
      for (const box of list.querySelectorAll("input[tabindex='0']")) box.tabIndex = -1;
      event.target.tabIndex = 0;
    });
    picker.addEventListener("keydown", press);
    point();
  }

  open(true);
  if (picker.dataset.ready) return;
  picker.dataset.ready = "yes";
  wire();
  say("");
  note(words("ask.reading"));
  try {
    await load(0);
    for (const number of (await (await ask("/selection")).text()).split(" ")) if (number) selected.add(number);
    count();
    part("albums").innerHTML = await (await ask("/albums")).text();
  } catch (error) {
    fail(error);
  }
}
