import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("AAC without a container")
struct AACStripperTests {
  typealias T = TinyAAC
  private static let text = Array("canary of an encoder".utf8)

  @Test("Two frames of one kind are AAC, also behind a tag or zeros; one is not")
  func sniffed() throws {
    #expect(format(of: T.frames) == .aac)
    #expect(format(of: T.frame() + T.frame()) == .aac)
    #expect(format(of: T.frame()) == nil)
    #expect(format(of: TinyMP3.id3(4, [("TIT2", [3, 0x41])]) + T.frames) == .aac)
    #expect(format(of: [0, 0, 0] + T.frames) == .aac)
    #expect(format(of: [0, 0, 0] + T.frame() + T.frame()) == nil)
    #expect(format(of: [1] + T.frames) == .aac && format(of: [1] + T.frames + [1]) == nil)
    let facts = try facts(of: T.frames)
    #expect(facts.durationMilliseconds == 3 * 1024 * 1000 / 44_100)
    #expect(facts.tracks.first?.channelCount == 1 && facts.tracks.first?.sampleRate == 44_100)
    #expect(facts.tracks.first?.codec == "aac" && facts.format.mediaType == .audio)
  }

  @Test("Every bit of a header that a decoder does not read is zero", arguments: 0..<5)
  func headers(offset: Int) throws {
    let flags = (0..<5).map { $0 == offset ? "1" : "0" }.joined()
    let (output, list) = try strip(T.frame() + T.frame(flags: flags) + T.frame(), .aac)
    #expect(output == T.frames)
    #expect(list.removedNames == ["private bits": 1])
  }

  @Test("A checksum goes, because what it covers is not decoded")
  func checksum() throws {
    let checked = T.frame(checksum: [0x41, 0x42])
    #expect(format(of: checked + checked) == .aac)
    #expect(try strip(checked + T.frame() + checked, .aac).output == T.frames)
    for length in 1...(checked.count - 1) {
      let cut = Array((T.frames + checked).prefix(T.frames.count + length))
      let output = try strip(cut, .aac).output
      #expect(!output.dropFirst(T.frames.count).contains(0x41))
      #expect(try strip(output, .aac).output == output)
    }
  }

  /// Elements before the coded audio, and what is left of them.
  static let elements: [(name: String, before: String, after: String)] = [
    (
      "fill", TinyAAC.fill("0000" + "0000" + TinyAAC.bits(of: text)),
      TinyAAC.fill(TinyAAC.bits(0, 8 * 21))
    ),
    (
      "fill of one value", TinyAAC.fill("0001" + "0000" + TinyAAC.bits(of: [0xA5, 0xA5])),
      TinyAAC.fill("0001" + "0000" + TinyAAC.bits(of: [0xA5, 0xA5]))
    ),
    (
      "fill of other values", TinyAAC.fill("0001" + "0000" + TinyAAC.bits(of: [0xA5, 0x41])),
      TinyAAC.fill(TinyAAC.bits(0, 24))
    ),
    (
      "ancillary fill", TinyAAC.fill("0010" + "0000" + TinyAAC.bits(of: text)),
      TinyAAC.fill(TinyAAC.bits(0, 8 * 21))
    ),
    (
      "reserved fill", TinyAAC.fill("0111" + "0000" + TinyAAC.bits(of: text)),
      TinyAAC.fill(TinyAAC.bits(0, 8 * 21))
    ),
    (
      "band replication", TinyAAC.fill("1101" + "0110" + TinyAAC.bits(of: [1, 2, 3])),
      TinyAAC.fill("1101" + "0110" + TinyAAC.bits(of: [1, 2, 3]))
    ),
    (
      "data", TinyAAC.data(text, from: 0),
      TinyAAC.data([UInt8](repeating: 0, count: 20), from: 0)
    ),
    (
      "a program's comment", TinyAAC.program(text, from: 0),
      TinyAAC.program([UInt8](repeating: 0, count: 20), from: 0)
    ),
    (
      "an encoder's long name",
      TinyAAC.named(Array("libfaac 1.26.1 (Nov 14 2010) UNSTABLE".utf8)),
      TinyAAC.named(Array("libfaac 1.0".utf8) + [UInt8](repeating: 0, count: 26))
    ),
    (
      "an encoder's name", TinyAAC.named(Array("libfaac 1.28".utf8)),
      TinyAAC.named(Array("libfaac 1.0".utf8) + [0])
    ),
    (
      "a name without a version", TinyAAC.named(Array("libfaac of Ada".utf8)),
      TinyAAC.named([UInt8](repeating: 0, count: 14))
    ),
  ]

  @Test("Elements before the coded audio keep their length and say nothing", arguments: elements)
  func cleared(name: String, before: String, after: String) throws {
    for second in ["", T.fill("0000" + "0000" + T.bits(of: Self.text))] {
      let remaining = second.isEmpty ? "" : T.fill(T.bits(0, 8 * 21))
      let source = T.frame() + T.frame(T.bytes(before + second + T.sound)) + T.frame()
      let expected = T.frame() + T.frame(T.bytes(after + remaining + T.sound)) + T.frame()
      let (output, list) = try strip(source, .aac)
      #expect(output == expected, "\(name)")
      #expect((list.removedNames["AAC fill"] == 1) == (source != expected), "\(name)")
      #expect(try strip(output, .aac).list.removed.isEmpty, "\(name)")
      withSource(source) { bytes in
        let errorCode = code { try Stripper.verify(output: bytes, format: .aac) }
        #expect(errorCode == (source == expected ? nil : .residue), "\(name)")
      }
      let entries = try withSource(output) {
        try MetadataInspector.entries(of: $0, format: .aac)
      }
      #expect(entries.isEmpty, "\(name)")
    }
  }

  @Test("Several packets in a frame, whose borders are not known, fail closed")
  func several() {
    let frame = T.frame(T.packet + T.packet, blocks: 1)
    #expect(code { _ = try strip(frame + frame, .aac) } == .stripUnsupported)
  }

  @Test("A decoder's configuration keeps no comment and no bits behind its fields")
  func configuration() throws {
    let cleaned = { (bytes: [UInt8]) in try AACConfiguration(bytes).bytes }
    // Low complexity, 44,100 Hz, two channels; the same with band replication behind it.
    #expect(try cleaned([0x12, 0x10]) == [0x12, 0x10])
    #expect(try cleaned([0x12, 0x10, 0x41, 0x42]) == [0x12, 0x10])
    let band: [UInt8] = [0x13, 0x90, 0x56, 0xE5, 0xA5, 0x48, 0x80]
    #expect(try cleaned(band) == band)
    #expect(try cleaned(band + [0x41]) == band)
    let head = "00010" + "0100" + "0000" + "000"
    let program = { (text: [UInt8]) in
      T.bytes(head + T.program(text, from: head.count - 3).dropFirst(3))
    }
    #expect(try cleaned(program(Self.text)) == program([UInt8](repeating: 0, count: 20)))
  }

  @Test("A movie's decoder configuration is cleaned too")
  func movie() throws {
    var movie = TinyMovie.film
    movie.tracks = [movie.tracks[1]]
    // The configuration of the fixture, and a text behind it.
    let codec: [UInt8] =
      [4, 23, 0x40, 0x15] + [UInt8](repeating: 0, count: 11) + [5, 8, 0x12, 0x08]
      + Array("canary".utf8)
    let esds: [UInt8] = [3, UInt8(3 + codec.count + 3), 0, 1, 0] + codec + [6, 1, 2]
    let plain = TinyMovie.mp4a()
    let head = Array(plain[8..<36])
    movie.tracks[0].entry = isoBox("mp4a", head, isoFullBox("esds", esds))
    #expect(movie.bytes.contains("canary"))
    let (output, list) = try stripMovie(movie.bytes)
    #expect(!output.contains("canary"))
    #expect(list.removedNames["AAC configuration"] == 1)
    #expect(try stripMovie(output).output == output)
  }

  @Test(
    "A decoder leaves out as many samples for the short name as for the long one",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg")
  )
  func encoderDelay() throws {
    let folder = TemporaryFolder()
    let plain = folder.path + "/plain.aac"
    let make = ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.4", "-c:a", "aac", plain]
    #expect(try Tool.run("ffmpeg", make).status == 0)
    let bytes = try readBytes(plain)
    let frame = try #require(withSource(bytes) { ADTSFrame(of: $0, at: 0) })
    // The name goes before the elements of the first packet, which moves all its bits.
    let name = T.named(Array("libfaac 1.26.1 (Nov 14 2010) UNSTABLE".utf8))
    let packet = T.bytes(name + T.bits(of: Array(bytes[7..<frame.length])))
    var head = T.bits(of: Array(bytes[..<7]))
    let offset = head.index(head.startIndex, offsetBy: 30)
    head.replaceSubrange(offset..<head.index(offset, offsetBy: 13), with: T.bits(7 + packet.count, 13))
    let named = T.bytes(head) + packet + bytes[frame.length...]
    let output = try strip(named, .aac).output
    #expect(!output.contains("UNSTABLE") && output.count == named.count)
    var counts: [Int] = []
    for (index, file) in [bytes, named, output].enumerated() {
      let path = "\(folder.path)/\(index).aac"
      try Data(file).write(to: URL(fileURLWithPath: path))
      let raw = path + ".raw"
      _ = try Tool.run("ffmpeg", ["-v", "quiet", "-i", path, "-f", "s16le", raw])
      counts.append(try readBytes(raw).count / 2)
    }
    #expect(counts[1] == counts[0] - 1024 && counts[2] == counts[1], "\(counts)")
  }
}
