import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Films in containers other than ISO media, as MovieStripperTests has them.
@Suite("Matroska, WebM and AVI without metadata")
struct StreamStripperTests {
  static let text = Array("CaNaRy of a film".utf8)
  static let slots: [(name: String, format: MediaFormat, bytes: [UInt8])] =
    TinyMatroska.slots(text).map { ($0.name, .mkv, $0.bytes) }
    + TinyAVI.slots(text).map { ($0.name, .avi, $0.bytes) }

  private static func holds(_ output: [UInt8], _ text: [UInt8]) -> Bool {
    output.indices.contains { output[$0...].starts(with: text) }
  }

  static func entries(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ options: StripOptions = StripOptions()
  ) throws -> [InspectedEntry] {
    try withSource(bytes) {
      try MetadataInspector.entries(of: $0, format: format, options: options)
    }
  }

  @Test("No text of any place is left, inspect lists it, and a second strip changes nothing")
  func texts() throws {
    #expect(Self.slots.count > 50)
    for slot in Self.slots {
      #expect(format(of: slot.bytes) == slot.format, "\(slot.name)")
      let (output, list) = try strip(slot.bytes, slot.format)
      #expect(!Self.holds(output, Array(Self.text.prefix(4))), "\(slot.name)")
      #expect(!Self.holds(output, Array(Self.text.suffix(4))), "\(slot.name)")
      #expect(try strip(output, slot.format).output == output, "\(slot.name)")
      #expect(try Self.entries(output, slot.format).allSatisfy { !$0.isRemoved }, "\(slot.name)")
      guard
        !["CRC-32", "SeekHead", "Cues"].contains(slot.name) && slot.name != "avih"
          && slot.name != "padding"
          && slot.name != "strh handler"
      else { continue }
      #expect(!list.removed.isEmpty, "\(slot.name)")
      #expect(try Self.entries(slot.bytes, slot.format).contains(where: \.isRemoved), "\(slot.name)")
    }
  }

  @Test("Clusters and segments of no length, as a browser records them, get theirs")
  func live() throws {
    let clusters =
      TinyMatroska.cluster(isOpen: true) + TinyMatroska.cluster(time: 100, isOpen: true)
    let closed = TinyMatroska.cluster() + TinyMatroska.cluster(time: 100)
    let bytes = TinyMatroska.file(clusters: clusters, isOpen: true)
    let output = try strip(bytes, .mkv).output
    #expect(output == (try strip(TinyMatroska.file(clusters: closed), .mkv).output))
    // A recording that lost power keeps its whole blocks.
    let cut = Array(bytes.dropLast(3))
    let (kept, list) = try strip(cut, .mkv)
    #expect(list.removedNames["incomplete block"] == 1)
    #expect(kept.count < output.count)
    #expect(code { _ = try strip(Array(TinyMatroska.file().dropLast(1)), .mkv) } == nil)
  }

  @Test("The index names each cluster with a keyframe, and the seek head each element")
  func index() throws {
    let clusters = (0..<4).flatMap { TinyMatroska.cluster(time: UInt8(40 * $0)) }
    let output = try strip(TinyMatroska.file(clusters: clusters), .mkv).output
    let file = try withSource(output) { try MatroskaFile(of: $0) }
    #expect(
      file.parts.map(\.type)
        == [.seekHead, .info, .tracks, .cluster, .cluster, .cluster, .cluster, .cues]
    )
    // An index ahead of the clusters stays there.
    let cues = TinyMatroska.element(0x1C53_BB6B, [])
    let ahead = try strip(TinyMatroska.file(clusters: cues + clusters), .mkv).output
    let types = try withSource(ahead) { try MatroskaFile(of: $0) }.parts.map(\.type)
    #expect(types == [.seekHead, .info, .tracks, .cues, .cluster, .cluster, .cluster, .cluster])
    // A wrong offset is found.
    var wrong = output
    wrong[wrong.count - 1] ^= 1
    #expect(
      withSource(wrong) { source in
        code { try Stripper.verify(output: source, format: .mkv) }
      } == .residue
    )
  }

  @Test(
    "What may hold anything is refused",
    arguments: [
      TinyMatroska.file(tracks: TinyMatroska.video(codec: "V_REAL/RV40")),
      TinyMatroska.file(tracks: TinyMatroska.video(codec: "V_UNKNOWN")),
      TinyMatroska.file(
        tracks: TinyMatroska.video(
          TinyMatroska.element(
            0x6D80,
            TinyMatroska.element(
              0x6240,
              TinyMatroska.element(0x5033, [1]) + TinyMatroska.element(0x5035, [])
            )
          )
        )
      ),
      TinyMatroska.file(after: TinyMatroska.file()),
      TinyAVI.file(streams: TinyAVI.video(head: TinyAVI.head("iavs")) + TinyAVI.sound()),
      TinyAVI.file(streams: TinyAVI.video(head: TinyAVI.head("ivas")) + TinyAVI.sound()),
      TinyAVI.file(
        streams: TinyAVI.video(
          format: Array(TinyAVI.bitmap[..<16]) + Array("ABCD".utf8) + TinyAVI.bitmap[20...]
        ) + TinyAVI.sound()
      ),
      TinyAVI.file(data: riffChunk("00pc", [0, 0, 0, 0]) + TinyAVI.data, index: []),
    ]
  )
  func refused(bytes: [UInt8]) throws {
    let sniffed = try #require(format(of: bytes))
    #expect(code { _ = try strip(bytes, sniffed) } == .stripUnsupported)
  }

  @Test("Sound goes, and with keep nothing else")
  func mute() throws {
    let tags = TinyMatroska.tag("ARTIST", Self.text)
    let film = TinyMatroska.file(
      others: tags
        + TinyMatroska.tag("TITLE", Array("of sound".utf8), targets: [0x63, 0xC5, 0x81, 2])
    )
    let list = try withSource(film) { try Stripper.muteList(of: $0, format: .mkv) }
    let output = apply(list, to: film)
    #expect(list.removedNames == [RemovedMetadata.audioTrack: 1])
    #expect(Self.holds(output, Self.text) && !Self.holds(output, Array("of sound".utf8)))
    #expect(!Self.holds(output, Array("A_OPUS".utf8)) && !Self.holds(output, [0xFC, 7]))
    #expect(Self.holds(output, TinyMatroska.block(1, 40, [5, 6], flags: 0)))
    let avi = TinyAVI.file(others: TinyAVI.list("INFO", riffChunk("INAM", Self.text)))
    let second = try withSource(avi) { try Stripper.muteList(of: $0, format: .avi) }
    let silent = apply(second, to: avi)
    #expect(second.removedNames == [RemovedMetadata.audioTrack: 1])
    #expect(Self.holds(silent, Self.text) && Self.holds(silent, TinyAVI.picture))
    #expect(!Self.holds(silent, Array("01wb".utf8)) && !Self.holds(silent, Array("auds".utf8)))
    // An element that is cut would take in what is written behind it.
    let cut = Array(
      TinyMatroska.file(
        clusters: TinyMatroska.cluster(isOpen: true),
        others: TinyMatroska.element(0x1043_A770, Self.text),
        isOpen: true
      ).dropLast(3)
    )
    #expect(
      withSource(cut) { source in
        code { _ = try Stripper.muteList(of: source, format: .mkv) }
      } == .damaged
    )
    // A sound that a person attached does not pass.
    let attached = TinyMatroska.element(
      0x1941_A469,
      TinyMatroska.element(0x61A7, TinyMatroska.element(0x465C, TinyWAV.file()))
    )
    let hidden = TinyMatroska.file(others: attached)
    #expect(
      withSource(hidden) { source in
        code { _ = try Stripper.muteList(of: source, format: .mkv) }
      } == .stripUnsupported
    )
  }

  @Test("A film without sound keeps its numbers when another stream goes")
  func numbers() throws {
    let file = TinyAVI.file(
      main: TinyAVI.main(3),
      streams: TinyAVI.list("strl", TinyAVI.head("txts") + riffChunk("strf", []))
        + TinyAVI.video() + TinyAVI.sound(),
      data: riffChunk("00tx", [1]) + riffChunk("01db", TinyAVI.picture)
        + riffChunk("02wb", [1, 2]),
      index: []
    )
    let output = try strip(file, .avi).output
    #expect(Self.holds(output, riffChunk("00db", TinyAVI.picture)))
    #expect(Self.holds(output, riffChunk("01wb", [1, 2])))
    #expect(!Self.holds(output, Array("txts".utf8)))
  }

  @Test("Of several RIFF chunks each stream has an index of its indexes")
  func several() throws {
    let more = TinyAVI.list("movi", TinyAVI.data + riffChunk("JUNK", Self.text))
    let second = Array("RIFF".utf8) + little(4 + more.count) + Array("AVIX".utf8) + more
    let output = try strip(TinyAVI.file() + second, .avi).output
    #expect(!Self.holds(output, Self.text))
    #expect(try strip(output, .avi).output == output)
    #expect(output.indices.count { output[$0...].starts(with: Array("RIFF".utf8)) } == 2)
    for (stream, count) in [("00", 1), ("01", 2)] {
      let chunk = Array("indx".utf8) + little(24 + 2 * 16) + [4, 0, 0, 0] + little(2)
      let start = try #require(
        output.indices.first { offset in
          output[offset...].starts(with: chunk)
            && output[(offset + 16)...].starts(with: Array(stream.utf8))
        }
      )
      for entry in 0..<2 {
        let offset = start + 32 + 16 * entry
        let number = { (at: Int) in (0..<4).reduce(0) { $0 | Int(output[at + $1]) << (8 * $1) } }
        let index = number(offset)
        #expect(output[index...].starts(with: Array("ix\(stream)".utf8)))
        // The entries count from an offset that is the same for all of them.
        let (base, first) = (number(index + 20), number(index + 32))
        #expect(output[(base + first - 8)...].starts(with: Array(stream.utf8)))
        // Pictures are counted, and of sound the samples.
        #expect(number(offset + 12) == (count == 1 ? 2 : 3))
      }
    }
  }

  @Test("What is cut or changed anywhere ends, and what is accepted is stable")
  func damaged() {
    var random = SeededGenerator()
    for bytes in [
      TinyMatroska.file(others: TinyMatroska.tag("ARTIST", Self.text)),
      TinyMatroska.file(clusters: TinyMatroska.cluster(isOpen: true), isOpen: true),
      TinyAVI.file(others: TinyAVI.list("INFO", riffChunk("INAM", Self.text))),
    ] {
      for length in stride(from: 0, to: bytes.count, by: 11) {
        SoundDamageTests.use(Array(bytes[..<length]), "cut \(length)")
      }
      for offset in stride(from: 0, to: bytes.count, by: 9) {
        for value: UInt8 in [[0, 0x7F, 0xFF][offset % 3]] where bytes[offset] != value {
          var changed = bytes
          changed[offset] = value
          if offset % 3 == 0 {
            let other = Int.random(in: 0..<bytes.count, using: &random)
            changed[other] = .random(in: 0...255, using: &random)
          }
          SoundDamageTests.use(changed, "\(value) at \(offset)")
        }
      }
    }
  }

  @Test("Five gigabytes cost neither time nor steps")
  func large() throws {
    func length(_ count: Int) -> [UInt8] { [1] + big(count, 7) }
    let (count, size) = (1000, 5_200_000)
    let head =
      TinyMatroska.header() + TinyMatroska.open(0x1853_8067, [])
      + TinyMatroska.information() + TinyMatroska.element(0x1654_AE6B, TinyMatroska.video())
    var islands: [(offset: Int, bytes: [UInt8])] = [(0, head)]
    var end = head.count
    for index in 0..<count {
      let block = [0xA3] + length(size + 4) + [0x81, 0, 0, 0x80]
      let body = [0xE7, 0x82] + big(index, 2) + block
      let start = [0x1F, 0x43, 0xB6, 0x75] + length(body.count + size) + body
      islands.append((end, start))
      end += start.count + size
    }
    let source = sparse(length: end, islands: islands)
    #expect(source.length > 5_000_000_000)
    var list = EditList(operations: [])
    let seconds = try processorSeconds {
      list = try Stripper.editList(of: source, format: .mkv)
    }
    #expect(seconds < 5)
    #expect(list.operations.count <= 2 * count + 10)
    var (copied, written) = (0, 0)
    for operation in list.operations {
      switch operation {
      case .copy(_, let length), .masked(_, let length, _): copied += Int(length)
      case .literal(let bytes): written += bytes.count
      }
    }
    #expect(copied >= count * size && written < 200_000)
  }

  @Test("What except keeps is written, and nothing else")
  func kept() throws {
    let options = StripOptions(except: [.caption, .copyright, .creationDate, .camera, .location])
    for (format, bytes) in [
      (
        MediaFormat.mkv,
        TinyMatroska.file(
          others: TinyMatroska.tag("COPYRIGHT", Self.text)
            + TinyMatroska.tag("ENCODER", Array("program".utf8))
        )
      ),
      (
        .avi,
        TinyAVI.file(
          others: TinyAVI.list(
            "INFO",
            riffChunk("ICOP", Self.text) + riffChunk("ISFT", Array("program".utf8))
          )
        )
      ),
    ] {
      let output = try strip(bytes, format, options).output
      #expect(Self.holds(output, Self.text) && !Self.holds(output, Array("program".utf8)))
      #expect(try strip(output, format, options).output == output)
      #expect(try Self.entries(output, format, options).allSatisfy { !$0.isRemoved })
    }
  }
}
