import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Bits of an MP3 that no decoder reads")
struct MP3UnusedBitsTests {
  typealias T = TinyMP3
  private static let text = Array("a text in ancillary data".utf8)

  /// A frame of two channels whose audio begins `distance` bytes before its data and has `length`
  /// bits, all of the first granule and channel.
  private static func frame(
    distance: Int = 0,
    length: Int = 0,
    privateBits: Int = 0,
    head: [UInt8] = T.head,
    checksum: [UInt8] = [],
    _ data: [UInt8] = []
  ) -> [UInt8] {
    let side =
      TinyAAC.bits(distance, 9) + TinyAAC.bits(privateBits, 3) + TinyAAC.bits(0, 8)
      + TinyAAC.bits(length, 12)
    let sideBytes = TinyAAC.bytes(side)
    let bytes =
      head + checksum + sideBytes + [UInt8](repeating: 0, count: 32 - sideBytes.count) + data
    return bytes + [UInt8](repeating: 0, count: 417 - bytes.count)
  }

  @Test("Text behind the audio becomes zeros, and the audio stays to its last bit")
  func behind() throws {
    let audio = [UInt8](repeating: 0xB7, count: 10)
    let source = T.frame + Self.frame(length: 77, audio + Self.text) + T.frame
    // Five bits of the tenth byte are audio.
    let left = Array(audio[..<9]) + [0xB0]
    let (output, list) = try strip(source, .mp3)
    #expect(output == T.frame + Self.frame(length: 77, left) + T.frame)
    #expect(list.removedNames == ["unused bits of frames": 1])
    #expect(try strip(output, .mp3).output == output)
    withSource(source) { bytes in
      #expect(code { try Stripper.verify(output: bytes, format: .mp3) } == .residue)
    }
    let entries = try withSource(source) { try MetadataInspector.entries(of: $0, format: .mp3) }
    #expect(entries.map(\.path) == ["unused bits of frames"])
    let remaining = try withSource(output) { try MetadataInspector.entries(of: $0, format: .mp3) }
    #expect(remaining.isEmpty)
  }

  @Test("Audio that a later frame keeps in earlier ones stays", arguments: [12, 200, 511])
  func reservoir(distance: Int) throws {
    // The data of a frame has 381 bytes, so 511 begin in the frame before the last.
    let data = [UInt8](repeating: 0x6B, count: 381)
    let first = Self.frame(data)
    let source = first + first + Self.frame(distance: distance, length: 40, data) + T.frame
    let output = try strip(source, .mp3).output
    let kept = source.indices.filter { output[$0] != source[$0] }
    var all = (0..<3).flatMap { frame in (36..<417).map { frame * 417 + $0 } }
    let start = 2 * 381 - distance
    all.removeSubrange(start..<(start + 5))
    #expect(kept == all)
  }

  @Test("A run of one value that ends unused bits is padding; a text before it is not")
  func padding() throws {
    for value: UInt8 in [0x55, 0xAA, 0xFF] {
      let padding = [UInt8](repeating: value, count: 300)
      let clean = Self.frame(padding + [UInt8](repeating: value, count: 81))
      #expect(try strip(clean + clean, .mp3).output == clean + clean)
      let remaining = [UInt8](repeating: value, count: 381 - Self.text.count)
      let named = Self.frame(Self.text + remaining)
      let zeros = [UInt8](repeating: 0, count: Self.text.count)
      #expect(try strip(named + clean, .mp3).output == Self.frame(zeros + remaining) + clean)
    }
  }

  @Test("Private bits go, and the checksum that covers them is right")
  func privateBits() throws {
    let head: [UInt8] = [0xFF, 0xFB, 0x91, 0]
    let source = T.frame + Self.frame(privateBits: 5, head: head) + T.frame
    #expect(try strip(source, .mp3).output == T.frame + T.frame + T.frame)
    var first: [UInt8] = [0xFF, 0xFA, 0x91, 0]
    let dirty = Self.frame(length: 8, privateBits: 7, head: first, checksum: [1, 2])
    let output = try strip(dirty + dirty, .mp3).output
    first[2] = 0x90
    let sum = Self.checksum(Array(output[2..<4]) + output[6..<38])
    let clean = Self.frame(length: 8, head: first, checksum: big(sum, 2))
    #expect(output == clean + clean)
  }

  /// The checksum of MPEG audio, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    TinyAAC.bits(of: bytes).reduce(0xFFFF) { sum, bit in
      (sum << 1 & 0xFFFF) ^ ((sum >> 15 == 1) != (bit == "1") ? 0x8005 : 0)
    }
  }

  @Test("A second description is silence, and LAME's checksum covers what is left")
  func joined() throws {
    let source = T.information() + T.frames + T.information(frames: 2) + T.frame + T.frame
    let (output, list) = try strip(source, .mp3)
    #expect(output.count == source.count && list.removedNames["encoder information"] == 1)
    #expect(Array(output[417...]) == (0..<7).flatMap { _ in T.frame })
    #expect(try strip(output, .mp3).output == output)
    var audio = CRC.lame
    audio.add(Array(output[417...]))
    #expect(Array(output[188..<190]) == big(Int(audio.value), 2))
  }

  @Test(
    "Joined, padded and constant MP3s of LAME decode to the same samples, without its name",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg")
  )
  func decoded() throws {
    let folder = TemporaryFolder()
    let path = { (name: String) in folder.path + "/" + name }
    let silence = "aevalsrc=0.4*sin(440*2*PI*t)*lt(t\\,0.3)|0.1*random(0)*gt(t\\,0.6):d=0.9:s=44100"
    var arguments = ["-v", "error", "-f", "lavfi", "-i", silence]
    for (name, options) in [
      ("a", "-b:a 192k"), ("b", "-b:a 320k"), ("c", "-ac 1 -ar 22050 -b:a 64k"), ("d", "-q:a 5"),
    ] {
      arguments += ["-id3v2_version", "0"] + options.split(separator: " ").map { String($0) }
      arguments.append(path(name + ".mp3"))
    }
    #expect(try Tool.run("ffmpeg", arguments).status == 0)
    let encoded = try ["a", "b", "c", "d"].map { try readBytes(path($0 + ".mp3")) }
    let files = encoded + [encoded[0] + encoded[1], [UInt8](repeating: 0, count: 700) + encoded[0]]
    for (index, bytes) in files.enumerated() {
      #expect(format(of: bytes) == .mp3)
      let (output, list) = try strip(bytes, .mp3)
      #expect(!Array(output[417...]).contains("LAME") && !output.contains("Lavc"))
      // LAME says its name in every frame that it fills up.
      #expect(index == 3 || list.removedNames["unused bits of frames"] != nil, "\(index)")
      try Data(bytes).write(to: URL(fileURLWithPath: path("before")))
      try Data(output).write(to: URL(fileURLWithPath: path("after")))
      let hashes = try Tool.run(
        "ffmpeg",
        [
          "-v", "quiet", "-i", path("before"), "-i", path("after"), "-map", "0:a", "-f", "hash",
          "-",
        ]
          + ["-map", "1:a", "-f", "hash", "-"]
      ).output.split(separator: "\n")
      #expect(hashes.count == 2 && hashes.first == hashes.last, "\(index)")
    }
  }
}
