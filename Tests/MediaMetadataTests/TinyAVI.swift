import MediaTestSupport

/// An AVI of two raw pictures and two pieces of sound, as parts, written without the code under test.
enum TinyAVI {
  static func list(_ type: String, _ data: [UInt8]) -> [UInt8] {
    riffChunk("LIST", Array(type.utf8) + data)
  }

  static func main(_ streams: Int = 2, reserved: [UInt8] = [UInt8](repeating: 0, count: 16))
    -> [UInt8]
  {
    var body = little(40_000) + little(0) + little(0) + little(0x110) + little(2)
    body += little(0) + little(streams) + little(0) + little(4) + little(2)
    return riffChunk("avih", body + reserved)
  }

  static func head(_ kind: String, handler: [UInt8] = [0, 0, 0, 0], language: [UInt8] = [0, 0])
    -> [UInt8]
  {
    var body = Array(kind.utf8) + handler + little(0) + [0, 0] + language + little(0)
    body += little(1) + little(25) + little(0) + little(2) + little(0)
    body += [0xFF, 0xFF, 0xFF, 0xFF] + little(kind == "auds" ? 2 : 0)
    return riffChunk("strh", body + [UInt8](repeating: 0, count: 8))
  }

  static let bitmap: [UInt8] =
    little(40) + little(4) + little(2) + [1, 0, 24, 0] + little(0) + little(24)
    + [UInt8](repeating: 0, count: 16)

  static func video(_ others: [UInt8] = [], format: [UInt8] = bitmap, head: [UInt8] = head("vids"))
    -> [UInt8]
  {
    list("strl", head + riffChunk("strf", format) + others)
  }

  static func sound(_ others: [UInt8] = []) -> [UInt8] {
    let format: [UInt8] = [1, 0, 1, 0] + little(8000) + little(16_000) + [2, 0, 16, 0]
    return list("strl", head("auds") + riffChunk("strf", format) + others)
  }

  static let picture = (0..<24).map { UInt8($0) }

  static let data =
    riffChunk("00db", picture) + riffChunk("01wb", [1, 2, 3, 4]) + riffChunk("00db", picture)
    + riffChunk("01wb", [5, 6])

  /// The index of ``data``.
  static let index: [UInt8] = riffChunk(
    "idx1",
    Array("00db".utf8) + little(16) + little(4) + little(24)
      + Array("01wb".utf8) + little(16) + little(36) + little(4)
      + Array("00db".utf8) + little(0) + little(48) + little(24)
      + Array("01wb".utf8) + little(16) + little(80) + little(2)
  )

  static func file(
    main: [UInt8] = main(),
    streams: [UInt8] = video() + sound(),
    headers: [UInt8] = [],
    others: [UInt8] = [],
    data: [UInt8] = data,
    index: [UInt8] = index,
    after: [UInt8] = []
  ) -> [UInt8] {
    let body =
      list("hdrl", main + streams + headers) + others + list("movi", data) + index
    return Array("RIFF".utf8) + little(4 + body.count) + Array("AVI ".utf8) + body + after
  }

  /// A file for each place where a text of at least 16 bytes fits.
  static func slots(_ text: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    let information = list("INFO", riffChunk("INAM", text + [0]))
    return [
      ("avih", file(main: main(reserved: Array(text.prefix(16))))),
      (
        "strh handler",
        file(streams: video(head: head("vids", handler: Array(text.prefix(4)))) + sound())
      ),
      ("strf", file(streams: video(format: bitmap + text) + sound())),
      ("strd", file(streams: video(riffChunk("strd", text)) + sound())),
      ("strn", file(streams: video(riffChunk("strn", text)) + sound())),
      ("JUNK of a stream", file(streams: video(riffChunk("JUNK", text)) + sound())),
      ("IDIT", file(headers: riffChunk("IDIT", text))),
      ("JUNK of the headers", file(headers: riffChunk("JUNK", text))),
      ("LIST INFO", file(others: information)),
      ("LIST hydt", file(others: list("hydt", riffChunk("hymn", text)))),
      ("LIST exif", file(others: list("exif", riffChunk("ecor", text)))),
      ("_PMX", file(others: riffChunk("_PMX", text))),
      ("JUNK", file(others: riffChunk("JUNK", text))),
      ("JUNK in the data", file(data: riffChunk("JUNK", text) + data, index: [])),
      ("chunk of no stream", file(data: riffChunk("07db", text) + data, index: [])),
      (
        "text stream",
        file(
          main: main(3),
          streams: video() + sound() + list("strl", head("txts") + riffChunk("strf", text)),
          data: data + riffChunk("02tx", text)
        )
      ),
      ("behind the end", file(after: text)),
      (
        "padding",
        file(
          data: Array(riffChunk("00db", Array(picture.prefix(23))).dropLast()) + [text[0]] + data,
          index: []
        )
      ),
    ]
  }
}
