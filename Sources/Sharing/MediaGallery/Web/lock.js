// Opens a gallery with a password: decrypts its pages, and the pictures and films that they show, in this window alone.
{
  const [roundsText, saltText, checkText] = document.body.dataset.lock.split(" ");
  const form = document.querySelector("form");
  const told = document.querySelector("#told");
  const home = new URL(".", location.href.split("#")[0]).href;
  const firstPage = "index.html";
  // Bytes that are held, and files that are read at the same time.
  const most = 128e6;
  const atOnce = 6;

  const encode = (text) => new TextEncoder().encode(text);
  const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const fromBase64 = Uint8Array.fromBase64
    ? (text) => Uint8Array.fromBase64(text)
    : (text) => {
        const characters = atob(text);
        const bytes = new Uint8Array(characters.length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
        return bytes;
      };
  const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const authenticate = async (key, text) => new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(text)));
  const forCodes = (bytes) => crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const forFiles = (bytes) => crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);

  words.show();
  document.title = form.querySelector("h1").textContent;

  const keys = {};

  // Derives the keys of a password; false for a wrong one.
  async function derive(password) {
    const start = await crypto.subtle.importKey("raw", encode(password), "PBKDF2", false, ["deriveBits"]);
    const settings = { name: "PBKDF2", hash: "SHA-256", salt: fromBase64(saltText), iterations: +roundsText };
    const main = await forCodes(await crypto.subtle.deriveBits(settings, start, 256));
    const derived = (purpose) => authenticate(main, `mediabatch-gallery/1 ${purpose}`);
    if (toBase64((await derived("check")).slice(0, 16)) !== checkText) return false;
    keys.names = await forCodes(await derived("names"));
    keys.files = await forFiles(await derived("files"));
    keys.kept = await forFiles(await derived("kept"));
    return true;
  }

  // Each file is a script, since a browser refuses to fetch a file of a folder; it calls this.
  const arrived = new Map();
  window.mediabatch = (name, ...texts) => arrived.set(name, texts);
  const setScript = Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, "src").set;

  function load(name) {
    const script = document.createElement("script");
    return new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(new Error("missing"));
      setScript.call(script, `${home}${name.slice(0, 2)}/${name}.js`);
      document.head.append(script);
    }).finally(() => script.remove());
  }

  // The content of a file of the gallery.
  async function read(path) {
    const name = hexadecimal((await authenticate(keys.names, path)).slice(0, 16));
    await load(name);
    // A file under the name of another one has not called with this name.
    const [nonce, ...texts] = arrived.get(name) ?? [];
    arrived.clear();
    const pieces = [];
    for (const text of texts) {
      pieces.push(fromBase64(text));
      if (texts.length > 2) await new Promise(setTimeout);
    }
    const sealed = await new Blob(pieces).arrayBuffer();
    const settings = { name: "AES-GCM", iv: fromBase64(nonce), additionalData: encode(name) };
    const plain = await crypto.subtle.decrypt(settings, keys.files, sealed);
    return new Uint8Array(plain, 8, Number(new DataView(plain).getBigUint64(0)));
  }

  // Addresses of what was decrypted, those that were asked for last at the end.
  const opened = new Map();
  let held = 0;

  async function addressOf(path) {
    const known = opened.get(path);
    opened.delete(path);
    const entry = known ?? { reading: open(path) };
    opened.set(path, entry);
    try {
      return (entry.address ??= await entry.reading);
    } catch (error) {
      opened.delete(path);
      throw error;
    }
  }
  async function open(path) {
    const bytes = await read(path);
    const entry = opened.get(path);
    held += entry.size = bytes.length;
    for (const [path, { size, address }] of opened) {
      if (held < most || opened.size < 50) break;
      const isPlayed = [...document.querySelectorAll("video, audio")].some(({ dataset }) => dataset.path === path);
      if (!address || isPlayed) continue;
      held -= size;
      opened.delete(path);
      URL.revokeObjectURL(address);
    }
    return URL.createObjectURL(new Blob([bytes]));
  }

  function tell() {
    const old = document.querySelector(".unopened");
    const line = old ?? Object.assign(document.createElement("p"), { className: "unopened" });
    line.setAttribute("role", "alert");
    // What is in the viewer's dialog is above all else.
    (document.querySelector("dialog[open]") ?? document.body).append(line);
    line.textContent = words("lock.missing");
  }

  // The path in the gallery that an address leads to; undefined for others.
  const pathOf = (address, page = "") => {
    const { href } = new URL(address, home + page);
    return href.startsWith(home) ? href.slice(home.length) : undefined;
  };

  // What has a path of the gallery as its source gets what is sealed.
  const sources = new Map();
  for (const type of [HTMLImageElement, HTMLMediaElement, HTMLScriptElement]) {
    const own = Object.getOwnPropertyDescriptor(type.prototype, "src");
    Object.defineProperty(type.prototype, "src", {
      ...own,
      get() {
        return this.dataset.path ?? own.get.call(this);
      },
      set(address) {
        const path = pathOf(address);
        if (!path) return own.set.call(this, address);
        this.dataset.path = path;
        const { address: known } = opened.get(path) ?? {};
        if (known) own.set.call(this, known);
        else if (this.loading === "lazy") near.observe(this);
        else fill(this);
      },
    });
    sources.set(type, own.set);
  }
  async function fill(element) {
    const { path } = element.dataset;
    try {
      if (element.matches("script")) {
        addRows(await read(path));
        return element.dispatchEvent(new Event("load"));
      }
      const address = await addressOf(path);
      if (element.dataset.path === path) sources.get(element.matches("img") ? HTMLImageElement : HTMLMediaElement).call(element, address);
    } catch {
      tell();
      element.dispatchEvent(new Event("error"));
    }
  }
  // Pictures near the window are decrypted a few at a time, and those that have left it not at all.
  const waiting = new Set();
  let busy = 0;
  async function fillNext() {
    const [element] = waiting;
    if (!element || busy === atOnce) return;
    waiting.delete(element);
    near.unobserve(element);
    busy += 1;
    await fill(element);
    busy -= 1;
    fillNext();
  }
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) isIntersecting ? waiting.add(target) : waiting.delete(target);
      for (let i = 0; i < atOnce; i++) fillNext();
    },
    { rootMargin: "600px" },
  );

  // Search data: a call with an array whose last row has a comma behind it.
  let shared = null;
  const addRows = (bytes) => {
    const text = new TextDecoder().decode(bytes);
    shared.addMonth(JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1).replace(/,\s*\]$/, "]")));
  };

  // The address says the page, if it is not the first one, and what is in it: #months/2026-07.html#ID.
  let page = null;
  const split = (hash) => {
    const parts = hash.replace(/^#/, "").split("#");
    return [parts[0].endsWith(".html") ? parts.shift() : firstPage, parts.join("#")];
  };
  const join = (page, part) => `#${[page === firstPage ? "" : page, part].filter(Boolean).join("#")}`;
  const within = (address) => join(page, address.split("#")[1]);
  const pageLocation = {
    get hash() {
      const part = split(location.hash)[1];
      return part && `#${part}`;
    },
    get pathname() {
      return "";
    },
    get search() {
      return "";
    },
    set href(address) {
      location.href = address;
    },
    replace: (address) => go(address, true),
  };
  const pageHistory = {
    back: () => history.back(),
    pushState: (state, title, address) => history.pushState(state, title, within(address)),
    replaceState: (state, title, address) => history.replaceState(state, title, within(address)),
  };
  function go(address, replaces) {
    const [file, ...rest] = pathOf(address).split("#");
    const part = rest.join("#");
    const isOther = file.endsWith(".html") && file !== firstPage;
    const [next, target] = isOther ? [file, part] : split(part);
    history[replaces ? "replaceState" : "pushState"](null, "", join(next, target));
    return turn().catch(tell);
  }

  // What pages keep in this browser, encrypted, under a name that tells nothing.
  const kept = { values: {}, saving: Promise.resolve() };
  async function readKept() {
    const { saving } = kept;
    await saving;
    kept.name = `mediabatch:${hexadecimal((await authenticate(keys.names, "kept")).slice(0, 16))}`;
    try {
      const bytes = fromBase64(localStorage.getItem(kept.name));
      const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, 12) }, keys.kept, bytes.slice(12));
      const values = JSON.parse(new TextDecoder().decode(plain));
      if (saving === kept.saving) kept.values = values;
    } catch {
      // There is nothing, or nothing of this gallery.
    }
  }
  async function keep() {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, keys.kept, encode(JSON.stringify(kept.values)));
    localStorage.setItem(kept.name, toBase64([...iv, ...new Uint8Array(sealed)]));
  }
  const pageStorage = {
    getItem: (name) => kept.values[name] ?? null,
    setItem(name, text) {
      // A browser that keeps nothing says so at once.
      localStorage.setItem(kept.name, localStorage.getItem(kept.name) ?? "");
      kept.values[name] = text;
      kept.saving = kept.saving.then(keep).catch(() => {});
    },
  };

  const sheets = new Map();
  async function sheetOf(path) {
    if (!sheets.has(path)) sheets.set(path, new CSSStyleSheet().replace(new TextDecoder().decode(await read(path))));
    return sheets.get(path);
  }

  // Turns a decrypted page into that of the window; nothing of it is loaded before it is looked at.
  function prepare(parsed, path) {
    for (const image of parsed.querySelectorAll("img[src]")) {
      image.dataset.path = pathOf(image.getAttribute("src"), path);
      image.removeAttribute("src");
    }
    for (const element of parsed.querySelectorAll("[data-src], [data-movie]")) {
      const { dataset } = element;
      for (const name of ["src", "movie"]) if (dataset[name]) dataset[name] = pathOf(dataset[name], path);
    }
    for (const link of parsed.querySelectorAll("a[href]")) {
      const address = link.getAttribute("href");
      if (address.startsWith("#")) continue;
      const target = pathOf(address, path);
      const [name, part] = target.split("#");
      link.setAttribute("href", name.endsWith(".html") ? join(name, part) : target);
    }
    parsed.body.dataset.root = "";
  }

  let ending = new AbortController();
  const scrolled = new Map();
  async function show(isReturn) {
    const [next] = split(location.hash);
    const isNew = next !== page;
    if (page) scrolled.set(page, scrollY);
    ending.abort();
    ending = new AbortController();
    const { signal } = ending;
    const parsed = new DOMParser().parseFromString(new TextDecoder().decode(await read(next)), "text/html");
    const styles = [...parsed.querySelectorAll("link[rel=stylesheet]")].map((link) => pathOf(link.getAttribute("href"), next));
    const adopted = await Promise.all(styles.filter((path) => path !== "base.css").map(sheetOf));
    // Another window may have kept something meanwhile.
    await readKept();
    if (signal.aborted) return;
    prepare(parsed, next);
    page = next;
    document.adoptedStyleSheets = adopted;
    for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
    for (const { name, value } of parsed.body.attributes) document.body.setAttribute(name, value);
    document.body.replaceChildren(...parsed.body.childNodes);
    for (const image of document.querySelectorAll("img[data-path]")) image.loading === "lazy" ? near.observe(image) : fill(image);
    if (isNew) {
      document.querySelector("#content").focus({ preventScroll: true, focusVisible: false });
      scrollTo(0, isReturn ? scrolled.get(page) ?? 0 : 0);
    }
    const listen = (name, action, options) => addEventListener(name, action, { ...options, signal });
    shared = runPage(listen, pageLocation, pageHistory, pageStorage);
    const target = split(location.hash)[1];
    if (target) document.getElementById(target)?.scrollIntoView();
  }

  // A page that does not open leaves the one that was there, or the first one.
  async function turn(isReturn) {
    try {
      await show(isReturn);
    } catch (error) {
      const last = page ?? firstPage;
      if (split(location.hash)[0] === last) throw error;
      history.replaceState(null, "", join(last));
      await show(true);
      tell();
    }
  }

  async function save(link) {
    try {
      const address = await addressOf(pathOf(link.href));
      Object.assign(document.createElement("a"), { href: address, download: link.download }).click();
    } catch {
      tell();
    }
  }

  function listen() {
    addEventListener("popstate", () => split(location.hash)[0] !== page && turn(true).catch(tell));
    addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      const path = link && !event.defaultPrevented && pathOf(link.href);
      // The browser itself follows an address of this page.
      if (!path || link.href.split("#")[0] === location.href.split("#")[0]) return;
      event.preventDefault();
      if (link.hasAttribute("download")) save(link);
      else if (/\.html(#|$)/.test(path)) go(path);
    });
    addEventListener("auxclick", (event) => {
      if (/^(tiles|views|originals)\//.test(pathOf(event.target.closest?.("a[href]")?.href ?? "about:blank"))) event.preventDefault();
    });
  }

  if (!crypto.subtle) {
    form.replaceChildren(document.querySelector("h1"), told);
    told.textContent = words("lock.insecure");
  }
  form.onsubmit = async (event) => {
    event.preventDefault();
    const [field, button] = form.querySelectorAll("input, button");
    button.disabled = true;
    told.textContent = "";
    try {
      if (await derive(field.value)) {
        await turn();
        listen();
        return;
      }
      told.textContent = words("lock.wrong");
      field.select();
    } catch {
      told.textContent = words("lock.damaged");
    }
    button.disabled = false;
  };
}
