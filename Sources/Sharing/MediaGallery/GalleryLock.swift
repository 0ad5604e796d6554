package import MediaModel
internal import MediaPages
internal import MediaSyntax

/// What a browser needs beside the password to open a gallery: it is on the one page that anybody can read.
package struct GalleryLock: Sendable, Hashable {
  /// How often PBKDF2 hashes a password. Source: OWASP Password Storage Cheat Sheet, PBKDF2-HMAC-SHA256.
  package static let rounds: UInt32 = 600_000
  /// The bytes of a salt.
  package static let saltLength = 16
  /// The file of the page.
  package static let page = "index.html"

  /// Random, and the gallery's own.
  package var salt: [UInt8]
  /// 16 bytes by which the right password is known, and from which no key follows.
  package var check: [UInt8]

  package init(salt: [UInt8], check: [UInt8]) { (self.salt, self.check) = (salt, check) }

  private static let attribute = "data-lock=\""

  /// Reads what ``files(digest:)`` wrote into the page; nil of another page, or of another number of rounds.
  package init?(page bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstRange(of: Self.attribute) else { return nil }
    let words = text[start.upperBound...].prefix { $0 != "\"" }.split(separator: " ")
    guard words.count == 3, words[0] == String(Self.rounds), let salt = Base64.bytes(words[1]),
      let check = Base64.bytes(words[2]), salt.count == Self.saltLength
    else { return nil }
    self.init(salt: salt, check: check)
  }

  /// The files of a gallery with a password that are not sealed: the page that asks for it, the script of all pages,
  /// which runs anew for each, and the sentences, which are those of any gallery.
  ///
  /// - Parameters:
  ///   - language: That of the page without scripts.
  ///   - digest: Computes the SHA-256 of the page's style, by which the page's policy lets it in.
  /// - Returns: The files.
  package func files(
    in language: PageTag,
    digest: (_ bytes: [UInt8]) -> [UInt8]
  ) -> [(path: String, bytes: [UInt8])] {
    // What a page does with its window goes through these, so that it ends with the page.
    let start = "\"use strict\";\n\nfunction runPage(addEventListener, location, history, localStorage) {\n"
    let end = Array("return gallery;\n}\n\n".utf8)
    let script = [Array(start.utf8)] + GalleryParts.scripts.map(\.1) + [end, GalleryParts.lockJS]
    let languages = GalleryLanguages(language)
    let page = Array(html(languages, digest).text.utf8)
    return [(Self.page, page), ("gallery.js", Array(script.joined()))] + languages.files
  }

  /// The page tells nothing of the gallery, not even its title.
  private func html(_ languages: GalleryLanguages, _ digest: ([UInt8]) -> [UInt8]) -> Markup {
    let words = languages.own
    let style = PageParts.stylesheet + GalleryParts.lockCSS
    let policy =
      "default-src 'none'; img-src 'self' blob:; media-src 'self' blob:; script-src 'self'; "
      + "style-src 'sha256-\(Base64.text(digest(style)))'; base-uri 'none'; form-action 'none'"
    let head = Markup.head(
      words("lock.title"),
      in: words,
      metas: """
        <meta http-equiv="Content-Security-Policy" content="\(raw: policy)">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">

        """,
      files: """
        <style>\(raw: String(decoding: style, as: UTF8.self))</style>
        \(languages.script(root: ""))\
        <script defer src="gallery.js"></script>

        """,
      body: " data-lock=\"\(String(Self.rounds)) \(Base64.text(salt)) \(Base64.text(check))\"",
      symbols: []
    )
    return """
      \(head)<main class="lock" id="content" tabindex="-1">
      <form class="scripted">
      <h1>\(words.element("lock.title"))</h1>
      <label for="password">\(words.element("lock.password"))</label>
      <input id="password" type="password" autocomplete="current-password" required autofocus>
      <button class="button primary">\(words.element("lock.open"))</button>
      <p id="told" role="alert"></p>
      </form>
      <noscript><h1>\(words("lock.title"))</h1><p>\(words("lock.noScript"))</p></noscript>
      </main>
      </body>
      </html>

      """
  }
}
