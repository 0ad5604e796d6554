// Makes elements of a page, for the other scripts.
window.gallery = {
  element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  },
};
