internal import MediaPages
internal import MediaSyntax

/// What lies over the pictures of each page.
extension GalleryPages {
  /// One picture in the whole window, with its controls and details.
  var viewer: Markup {
    """
    <dialog class="viewer"\(label("viewer"))>
    <div class="bar">\(button("shut", "close", "back", "Escape"))<div class="what"><h2 dir="auto"></h2><p></p></div>\
    <span class="count"></span></div>
    <div class="dock">\(button("like", "favorite", "heart", "F"))\(button("slides", "slideshow", "play", "S"))\
    \(button("about", "details", "info", "I"))<a class="icon save"\(hint("download", "D"))\(label("download"))>\
    \(icon: "down")</a></div>
    <button type="button" class="livebadge"\(hint("holdToPlay", "L"))>\(icon: "live")\(words.element("badge.live"))</button>
    <div class="stage"></div>
    \(button("turn prev", "previous", "back"))\(button("turn next", "next", "next"))
    <div class="film" role="group"\(label("around"))></div>
    <p class="sorry" role="status"></p>
    <aside class="drawer"\(label("details"))><header><h3>\(words.element("details"))</h3>\
    \(button("hide", "closeDetails", "close"))</header><p class="caption" dir="auto"></p><dl class="facts"></dl></aside>
    </dialog>

    """
  }

  /// The bar below favorites.
  var tray: Markup {
    """
    <div class="tray scripted" role="region"\(label("selection")) hidden>
    <div class="pile"></div><p role="status"><b id="chosen"></b><br><span class="faint small" id="kept"></span></p>
    <a class="button show" href="#favorites">\(words.element("show"))</a>\
    <button type="button" class="button primary" id="send">\(icon: "send")\(words.element("sendSelection"))</button>
    </div>

    """
  }

  /// What is asked before a selection is sent.
  var sheet: Markup {
    func other(_ name: String) -> Markup {
      "<button type=\"button\" class=\"button\" id=\"\(name)\">\(icon: name)\(words.element(name))</button>"
    }
    return """
      <dialog class="sheet send" aria-labelledby="send-title">
      <button type="button" class="icon close"\(label("close"))>\(icon: "close")</button>
      <h2 id="send-title">\(words.element("sendTitle"))</h2>
      <p class="faint">\(words.element("sendLead"))</p>
      <label for="who">\(words.element("yourName"))</label><input id="who" autocomplete="name">
      <label for="note">\(words.element("note")) <span class="faint">\(words.element("optional"))</span></label>\
      <textarea id="note" rows="2"></textarea>
      <button type="button" class="button primary wide" id="save">\(icon: "down")\(words.element("saveFile"))</button>
      <div class="others">\(other("mail"))\(other("copy"))\(other("print"))</div>
      <p class="small faint" id="said" role="status"></p>
      </dialog>

      """
  }

  /// A button that is an icon, by its classes, the key of its sentence, and the key on a keyboard that does the same.
  private func button(_ names: String, _ key: String, _ drawing: String, _ shortcut: String? = nil) -> Markup
  {
    """
    <button type="button" class="icon \(names)"\(hint(key, shortcut))\(label(key))>\(icon: drawing)</button>
    """
  }
}
