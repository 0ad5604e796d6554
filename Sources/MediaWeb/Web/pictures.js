// The pictures of the names that can be seen. Each is fetched with the page's token, which an <img> cannot send.
import { ask } from "/page.js";

// One connection stays free for names and the answer: browsers open six to a server.
const atOnce = 4;

export class Pictures {
  constructor() {
    this.urls = new Set();
    this.waiting = new Set();
    this.running = 0;
    this.observer = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "300px" });
  }

  /** Shows the pictures of the tiles in a list as they come into view. */
  watch(list) {
    for (const tile of list.querySelectorAll("[data-picture]:not([data-seen])")) {
      tile.dataset.seen = "yes";
      this.observer.observe(tile);
    }
  }

  /** Forgets all tiles and frees their pictures. */
  clear() {
    this.observer.disconnect();
    this.waiting.clear();
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls.clear();
  }

  see(entries) {
    for (const entry of entries) {
      if (entry.isIntersecting) this.waiting.add(entry.target);
      else this.waiting.delete(entry.target);
    }
    this.next();
  }

  next() {
    for (const tile of this.waiting) {
      if (this.running >= atOnce) return;
      this.waiting.delete(tile);
      this.observer.unobserve(tile);
      this.running += 1;
      this.show(tile).finally(() => {
        this.running -= 1;
        this.next();
      });
    }
  }

  async show(tile) {
    try {
      const response = await ask(`/picture?name=${tile.dataset.picture}`);
      if (response.status === 204) throw new Error("no picture");
      const url = URL.createObjectURL(await response.blob());
      if (!tile.isConnected) {
        URL.revokeObjectURL(url);
        return;
      }
      this.urls.add(url);
      const picture = new Image();
      picture.alt = "";
      picture.src = url;
      await picture.decode();
      tile.querySelector(".noimg").replaceWith(picture);
    } catch {
      delete tile.dataset.picture;
      tile.querySelector(".noimg").append(Object.assign(document.createElement("span"), { textContent: "cannot be shown" }));
    }
  }
}
