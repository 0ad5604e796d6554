import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("An MP3's frames, and the one that describes them")
struct MP3StripperTests {
  typealias T = TinyMP3

  @Test("Counts, table and checksums are written anew; samples of silence stay")
  func information() throws {
    let (output, list) = try strip(T.information(encoder: "Lavf60.16") + T.frames, .mp3)
    #expect(list.removedNames == ["encoder information": 1])
    #expect(output.count == 5 * 417)
    let tag = Array(output[36..<192])
    #expect(tag.prefix(4).elementsEqual("Info".utf8) && Array(tag[4..<8]) == big(15))
    #expect(Array(tag[8..<12]) == big(4) && Array(tag[12..<16]) == big(5 * 417))
    // The first frame is a fifth of the way in, the last four fifths.
    #expect(tag[16] == UInt8(256 / 5) && tag[16 + 99] == UInt8(256 * 4 / 5))
    #expect(Array(tag[120..<129]) == Array("LAME3.100".utf8))
    #expect(Array(tag[141..<144]) == Array(big(576 << 12 | 1000).dropFirst()))
    #expect(Array(tag[148..<152]) == big(5 * 417))
    #expect(output[192...].prefix(417 - 192).allSatisfy { $0 == 0 })
  }

  @Test("Frames that the header does not know have no known end")
  func otherCounts() throws {
    let padding = { (bytes: [UInt8]) in Int(bytes[36 + 142]) << 8 & 0xF00 | Int(bytes[36 + 143]) }
    let count = { (bytes: [UInt8]) in Array(bytes[44..<48]) }
    for (claimed, written, kept) in [(4, 4, 1000), (5, 5, 1000), (9, 4, 0), (2, 4, 0)] {
      let output = try strip(T.information(frames: claimed) + T.frames, .mp3).output
      #expect(count(output) == big(written) && padding(output) == kept)
    }
    let facts = try facts(of: T.information() + T.frames)
    #expect(facts.durationMilliseconds == (4 * 1152 - 1576) * 1000 / 44_100)
  }

  @Test("An encoder that is not known leaves no samples out, as players do")
  func otherEncoder() throws {
    let output = try strip(T.information(encoder: "GOGO3.10a") + T.frames, .mp3).output
    #expect(output[156..<417].allSatisfy { $0 == 0 })
  }

  @Test("Two recordings one after another are both kept, also of another rate")
  func joined() throws {
    // 22,050 Hz, one channel: 208 bytes.
    let other = [0xFF, 0xF3, 0x80, 0xC0] + [UInt8](repeating: 0, count: 204)
    let both = T.frames + other + other + other
    #expect(try strip(both, .mp3).output == both)
    let tagged = T.frames + T.id3v1([0x41]) + T.id3(3, []) + other + other + other
    #expect(try strip(tagged, .mp3).output == both)
  }

  @Test("Of a last frame that was cut off, what there is stays; behind anything else it goes")
  func cutFrames() throws {
    for length in [4, 30, 200, 416] {
      let cut = T.frames + T.frame.prefix(length)
      #expect(try strip(cut + T.id3v1([]), .mp3).output == cut)
      #expect(try strip(T.frames + [1, 2, 3] + T.frame.prefix(length), .mp3).output == T.frames)
    }
    #expect(try strip(T.frames + T.frame.prefix(3), .mp3).output == T.frames)
  }

  @Test("A false frame in a picture is not played")
  func pictures() throws {
    // Enough of a header to look like sound, twice.
    let cover = (0..<3).flatMap { _ in T.frame }
    let tag = T.id3(3, [("APIC", [0] + cover)])
    #expect(try strip(tag + T.frames, .mp3).output == T.frames)
    #expect(try strip(T.frames + T.ape([("Cover", cover)], header: false), .mp3).output == T.frames)
  }

  @Test("A tag that says more than there is is no tag")
  func longTags() throws {
    var tag = T.id3(3, [("TIT2", [0, 0x41])])
    tag.replaceSubrange(6..<10, with: [0x7F, 0x7F, 0x7F, 0x7F])
    #expect(try strip(tag + T.frames, .mp3).output == T.frames)
    var ape = T.ape([("Title", [0x41])])
    ape.replaceSubrange((ape.count - 20)..<(ape.count - 16), with: little(0xFFFF_FFFF))
    #expect(try strip(T.frames + ape, .mp3).output == T.frames)
    #expect(code { _ = try strip(tag + [0, 0], .mp3) } == .damaged)
  }

  @Test(
    "The checksum of LAME's tag is the one that LAME writes",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg")
  )
  func checksum() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.mp3"
    let make = [
      "-v", "error", "-f", "lavfi", "-i", "sine=d=1.7", "-id3v2_version", "0", "-b:a", "128k",
    ]
    #expect(try Tool.run("ffmpeg", make + ["-ac", "2", path]).status == 0)
    let bytes = try readBytes(path)
    let clean = try strip(bytes, .mp3).output
    for file in [bytes, clean] {
      #expect(file[36..<40].elementsEqual("Info".utf8))
      var own = CRC.lame
      own.add(Array(file[..<190]))
      #expect(Array(file[190..<192]) == big(Int(own.value), 2))
      var audio = CRC.lame
      audio.add(Array(file[417...]))
      // libavformat writes no checksum of the sound.
      let isWritten = file[188] != 0 || file[189] != 0
      #expect(!isWritten || Array(file[188..<190]) == big(Int(audio.value), 2))
    }
    #expect(Array(clean[44..<52]) == Array(bytes[44..<52]))
  }
}
