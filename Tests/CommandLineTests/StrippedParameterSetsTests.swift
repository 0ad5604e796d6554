import Foundation
import MediaTestSupport
import Testing

extension StrippedCodingTests {
  /// The text that is planted; it has no byte of zero, so that it needs no escape.
  private static let planted = Array("Jane Doe, 48.1371N 11.5754E, serial 0815-4711".utf8)

  /// A film in H.264 or HEVC, in whose parameter sets and messages text is planted behind the last
  /// field, in the configuration and in the samples.
  struct PlantedFilm: CustomStringConvertible, Sendable {
    var name: String
    var encoder: [String]
    var isHEVC = false
    var muxer: [String] = []
    var description: String { "\(name) \(encoder.joined(separator: " "))" }

    static let films: [PlantedFilm] =
      ["film.mp4", "film.mov", "film.mkv"].flatMap { name in
        [
          PlantedFilm(
            name: name,
            encoder: [
              "-c:v", "libx264", "-bf", "0", "-x264-params",
              "nal-hrd=vbr:vbv-maxrate=300:vbv-bufsize=300:pic-struct=1:keyint=4:intra-refresh=1",
            ]
          ),
          PlantedFilm(name: name, encoder: ["-c:v", "libx264", "-profile:v", "baseline"]),
          PlantedFilm(
            name: name,
            encoder: [
              "-c:v", "libx265", "-x265-params",
              "log-level=none:hrd=1:vbv-maxrate=300:vbv-bufsize=300:keyint=4:bframes=0:repeat-headers=1",
            ],
            isHEVC: true,
            muxer: name == "film.mkv" ? [] : ["-tag:v", "hev1"]
          ),
        ]
      }
  }

  /// Returns a stream with text behind the last field of each parameter set, and of each message
  /// about buffering, timing and recovery.
  private func plant(_ stream: Data, isHEVC: Bool) -> Data {
    var result = Data()
    for unit in units(of: stream) {
      let type = isHEVC ? unit[0] >> 1 & 0x3F : unit[0] & 0x1F
      var unit = unit
      let head = isHEVC ? 2 : 1
      if isHEVC ? (32...34).contains(type) : type == 7 || type == 8 {
        unit += Self.planted
      } else if type == (isHEVC ? 39 : 6), [0, 1, 6].contains(unit[head]) {
        let message = unescaped(Array(unit[head...]))
        let length = Int(message[1])
        let body = message[2..<(2 + length)] + Self.planted
        unit =
          Array(unit[..<head])
          + escaped([message[0], UInt8(body.count)] + body + message[(2 + length)...])
      }
      result += [0, 0, 0, 1] + unit
    }
    return result
  }

  private func units(of stream: Data) -> [[UInt8]] {
    let bytes = Array(stream)
    var units: [[UInt8]] = []
    var start: Int?
    var index = 0
    while index + 3 <= bytes.count {
      if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        if let start { units.append(trimmed(bytes[start..<index])) }
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    if let start { units.append(trimmed(bytes[start...])) }
    return units
  }

  private func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    Array(unit.prefix((unit.lastIndex { $0 != 0 } ?? unit.startIndex) + 1 - unit.startIndex))
  }

  private func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if index >= 2, byte == 3, bytes[index - 1] == 0, bytes[index - 2] == 0 { continue }
      result.append(byte)
    }
    return result
  }

  private func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if byte <= 3, result.count >= 2, result.suffix(2) == [0, 0] { result.append(3) }
      result.append(byte)
    }
    return result
  }

  @Test(
    "Text behind the last field of parameter sets and messages is cut, in header and samples",
    arguments: PlantedFilm.films
  )
  func parameterSets(film: PlantedFilm) throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    try scene.makeFolder("sources/library")
    let format = film.isHEVC ? "hevc" : "h264"
    try Independent.make(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.6"] + film.encoder
        + ["-f", format, scene.at("stream")]
    )
    let stream = Data(try readBytes(scene.at("stream")))
    let planted = plant(stream, isHEVC: film.isHEVC)
    try scene.put("planted", Array(planted))
    let path = scene.at("sources/library/" + film.name)
    try Independent.make(
      "ffmpeg",
      ["-v", "error", "-r", "10", "-f", format, "-i", scene.at("planted"), "-c", "copy"]
        + film.muxer + [path]
    )
    let text = Data(Self.planted)
    let source = Data(try readBytes(path))
    try #require(source.range(of: text) != nil)
    let before = try frames([path])
    try #require(before[0].count > 3)
    let output = try #require(try stripped(scene, [film.name]).first)
    #expect(Data(try readBytes(output)).range(of: text) == nil)
    #expect(try frames([output]) == before)
    // The parameter sets are those that the encoder wrote.
    for unit in units(of: stream) {
      let type = film.isHEVC ? unit[0] >> 1 & 0x3F : unit[0] & 0x1F
      guard film.isHEVC ? (32...34).contains(type) : type == 7 || type == 8 else { continue }
      #expect(Data(try readBytes(output)).range(of: Data(unit)) != nil, "type \(type)")
    }
    try scene.expectVerified()
  }

  @Test("Text behind the fields of E-AC-3's box is cut, and its extension for objects stays")
  func enhancedAC3() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    try scene.makeFolder("sources/library")
    let path = scene.at("sources/library/film.mp4")
    try Independent.make(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3", "-f", "lavfi", "-i",
        "sine=d=0.3", "-c:v", "mpeg4", "-c:a", "eac3", path,
      ]
    )
    var bytes = Data(try readBytes(path))
    // The index stands behind the samples, so no offset changes.
    let objects: [UInt8] = [1, 16]
    let tail = objects + Self.planted
    var offset = try #require(bytes.range(of: Data("moov".utf8), options: .backwards)).lowerBound
    let sound = try #require(bytes.range(of: Data("soun".utf8), options: .backwards)).lowerBound
    for name in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "ec-3", "dec3"] {
      // The sound's track is the last one before its handler.
      let range =
        name == "trak" || name == "mdia"
        ? bytes.range(of: Data(name.utf8), options: .backwards, in: offset..<sound)
        : bytes.range(of: Data(name.utf8), in: (name == "minf" ? sound : offset)..<bytes.endIndex)
      offset = try #require(range, "\(name)").lowerBound
      let size = bytes[(offset - 4)..<offset].reduce(0) { $0 << 8 | Int($1) }
      let grown = withUnsafeBytes(of: UInt32(size + tail.count).bigEndian) { Array($0) }
      bytes.replaceSubrange((offset - 4)..<offset, with: grown)
      if name == "dec3" { bytes.insert(contentsOf: tail, at: offset - 4 + size) }
    }
    try scene.put("sources/library/film.mp4", Array(bytes))
    try #require(bytes.range(of: Data(Self.planted)) != nil)
    let published = try #require(try stripped(scene, ["film.mp4"]).first)
    let output = Data(try readBytes(published))
    #expect(output.range(of: Data(Self.planted)) == nil)
    let box = try #require(output.range(of: Data("dec3".utf8))).upperBound
    #expect(Array(output[box..<(box + 7)].suffix(2)) == objects)
    try scene.expectVerified()
  }
}
