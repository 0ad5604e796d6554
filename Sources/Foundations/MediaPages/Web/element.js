// Makes elements of a page and finds words, for the other scripts.
window.gallery = {
  // This makes an element with properties, and with what is in it.
  element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  },
  // This returns the words of a query, in lower case.
  words: (query) => query.toLowerCase().split(/\s+/).filter(Boolean),
  // This makes a form that is a search, and is never sent.
  form(...children) {
    const form = window.gallery.element("form", { onsubmit: (event) => event.preventDefault() }, ...children);
    form.setAttribute("role", "search");
    return form;
  },
};
