// The pictures of the names in view. An <img> cannot send the page's token, so that each is fetched.
import { ask } from "/page.js";

// A browser opens six connections to a server: one stays free.
const atOnce = 4;
// Then a tile without its picture shows the name.
const patience = 2500;

export class Pictures {
  urls = new Set();
  waiting = new Set();
  running = 0;
  observer = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "300px" });

  /** Shows a list's pictures as they come into view. */
  watch(list) {
    for (const tile of list.querySelectorAll("[data-picture]:not([data-seen])")) {
      tile.dataset.seen = "yes";
      this.observer.observe(tile);
    }
  }

  clear() {
    this.observer.disconnect();
    this.waiting.clear();
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls.clear();
  }

  see(entries) {
    for (const { target, isIntersecting } of entries) {
      this.waiting[isIntersecting ? "add" : "delete"](target);
      if (isIntersecting) setTimeout(() => (target.dataset.late = "yes"), patience);
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
      // Asked for again while it is seen.
      if (response.headers.has("Mediabatch-Late")) return this.observer.observe(tile);
      if (response.status === 204) throw 0;
      const url = URL.createObjectURL(await response.blob());
      if (!tile.isConnected) return URL.revokeObjectURL(url);
      this.urls.add(url);
      const picture = Object.assign(new Image(), { alt: "", src: url });
      await picture.decode();
      tile.querySelector(".noimg").replaceWith(picture);
    } catch (error) {
      if (error.name === "AbortError") return;
      delete tile.dataset.picture;
      tile.querySelector(".noimg").append(Object.assign(document.createElement("span"), { textContent: words("ask.cannotBeShown") }));
    }
  }
}
