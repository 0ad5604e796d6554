import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("HEIC and AVIF: what is kept, and what is refused")
struct HEIFStripperTests {
  private static func picture(_ text: String) -> [UInt8] {
    TinyCoded.nal(19, Array(text.utf8))
  }

  private static func plain() -> HEIFFixture {
    var file = HEIFFixture()
    file.properties = [TinyCoded.hvcC(), TinyCoded.ispe(8, 8)]
    file.items = [.init(number: 1, type: "hvc1", data: picture("one"), properties: [-1, 2])]
    return file
  }

  private func error(
    _ change: (inout HEIFFixture) -> Void
  ) -> MetadataError? {
    var file = Self.plain()
    change(&file)
    do {
      _ = try stripHEIF(file.bytes)
      return nil
    } catch {
      return error as? MetadataError
    }
  }

  @Test("A property that the picture needs and nobody knows is named")
  func unknownProperty() {
    let failure = error { file in
      file.properties.append(isoBox("abcd", [1]))
      file.items[0].properties.append(-3)
    }
    #expect(failure?.code == .stripUnsupported && failure?.detail.contains("abcd") == true)
    #expect(
      error { file in
        file.properties.append(isoBox("abcd", [1]))
        file.items[0].properties.append(3)
      } == nil
    )
  }

  @Test(
    "A picture of a kind that is not known is named",
    arguments: ["jpeg", "unci", "vvc1", "j2k1", "hvt1"]
  )
  func unknownItem(type: String) {
    let failure = error { $0.items[0].type = type }
    #expect(failure?.code == .stripUnsupported && failure?.detail.contains(type) == true)
  }

  @Test("A picture that is made from itself, or from what is not there, is damaged")
  func circles() {
    let grid = HEIFFixture.Item(number: 2, type: "grid", data: [0, 0, 0, 0, 0, 8, 0, 8])
    let errorCode = { (from: [Int]) in
      self.error { file in
        file.items.append(grid)
        file.primary = 2
        file.references = [("dimg", 2, from)]
      }?.code
    }
    #expect(errorCode([1]) == nil)
    #expect(errorCode([2]) == .damaged)
    #expect(errorCode([7]) == .damaged)
    #expect(errorCode([1, 1]) == .damaged)
  }

  @Test("What two readers could take two ways is damaged")
  func ambiguous() {
    #expect(error { $0.behind = isoFullBox("meta", []) }?.code == .damaged)
    #expect(error { $0.inMeta = isoFullBox("pitm", big(1, 2)) }?.code == .damaged)
    #expect(error { $0.inMeta = isoBox("idat", [1]) }?.code == .damaged)
    #expect(error { $0.items.append($0.items[0]) }?.code == .damaged)
  }

  @Test("Coded data that does not follow its codec is damaged")
  func brokenUnits() {
    #expect(error { $0.items[0].data.removeLast() }?.code == .damaged)
    #expect(error { $0.items[0].data += [0, 0, 0] }?.code == .damaged)
    #expect(error { $0.items[0].data = TinyCoded.sei(5, [1]) }?.code == .damaged)
    #expect(error { $0.items[0].data = [] }?.code == .damaged)
  }

  @Test("Items that share bytes and have them out of order are written once")
  func sharedBytes() throws {
    var file = Self.plain()
    file.items[0].data = Self.picture("first tile")
    let second = HEIFFixture.Item(
      number: 2,
      type: "hvc1",
      data: Self.picture("second tile"),
      properties: [-1, 2]
    )
    let grid = HEIFFixture.Item(
      number: 3,
      type: "grid",
      data: [0, 0, 0, 2, 0, 24, 0, 8],
      properties: [2],
      method: 1
    )
    file.items = [second, file.items[0], grid]
    file.primary = 3
    file.references = [("dimg", 3, [1, 2, 1])]
    var bytes = file.bytes
    // Both items point at the second one's bytes.
    let plain = try stripHEIF(bytes).output
    let iloc = try #require(offset(of: "iloc", in: bytes)) + 8
    let entry = { (index: Int) in iloc + 16 * index + 8 }
    bytes.replaceSubrange(entry(1)..<(entry(1) + 8), with: bytes[entry(0)..<(entry(0) + 8)])
    let shared = try stripHEIF(bytes).output
    #expect(plain.contains("first tile") && plain.contains("second tile"))
    #expect(!shared.contains("first tile") && shared.contains("second tile"))
    #expect(shared.count == plain.count - Self.picture("first tile").count)
  }

  @Test("Alpha stays with what says that colors are premultiplied")
  func alpha() throws {
    var file = Self.plain()
    file.properties.append(TinyCoded.auxC("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"))
    file.items.append(.init(number: 2, type: "hvc1", data: Self.picture("plane"), properties: [-1, 2, -3]))
    file.references = [("auxl", 2, [1]), ("prem", 1, [2])]
    let output = try stripHEIF(file.bytes).output
    for text in ["plane", "auxl", "prem"] { #expect(output.contains(text), "\(text)") }
  }

  @Test(
    "Content credentials go, or stay as they are where that is asked for",
    arguments: [true, false]
  )
  func credentials(isAhead: Bool) throws {
    var file = Self.plain()
    let box = isoBox("uuid", HEIFContainer.credentialsIdentifier, Array("manifest".utf8))
    if isAhead { file.ahead = box } else { file.behind = box }
    let (output, list) = try stripHEIF(file.bytes)
    #expect(!output.contains("manifest") && list.removedNames["C2PA manifest store"] == 1)
    let kept = try stripHEIF(file.bytes, StripOptions(except: [.contentCredentials])).output
    #expect(kept.contains(box) && kept.count == output.count + box.count)
    #expect(look(kept) == .residue)
    let pictures = { (bytes: [UInt8]) in
      try withSource(bytes) { source in
        let container = try HEIFContainer(of: source)
        let meta = try HEIFMetaReader.read(try #require(container.meta).body, of: source)
        return meta.items.map { Array(bytes[$0.extents[0]]) }
      }
    }
    #expect(try pictures(kept) == pictures(file.bytes))
    // Another box of that kind, or a second one, is not what was asked for.
    file.ahead += isoBox("uuid", Array("0123456789abcdef manifest2".utf8)) + box
    let again = try stripHEIF(file.bytes, StripOptions(except: [.contentCredentials])).output
    #expect(again.count == kept.count && !again.contains("manifest2"))
  }

  @Test("A tone map of a version that is not known is left out, whoever asks for it")
  func unknownToneMap() throws {
    let numbers = [UInt8](repeating: 0, count: 1 + 16 + 40)
    for (version, isKept) in [(0, true), (9, false)] {
      var file = Self.plain()
      file.brands = ["mif1", "tmap", "heic"]
      file.items.append(.init(number: 2, type: "hvc1", data: Self.picture("gain"), properties: [-1]))
      file.items.append(.init(number: 3, type: "tmap", data: [0, 0, UInt8(version), 0, 0] + numbers))
      file.references = [("dimg", 3, [1, 2])]
      file.inMeta = isoBox("grpl", isoFullBox("altr", big(9) + big(2) + big(3) + big(1)))
      let output = try stripHEIF(file.bytes, StripOptions(except: [.hdrGainMap])).output
      #expect(output.contains("gain") == isKept && output.contains("tmap") == isKept)
      #expect(try !stripHEIF(file.bytes).output.contains("tmap"))
    }
  }

  @Test("Numbers of a tone map and of an overlay have no text")
  func numbersWithoutText() throws {
    let text = PlantedPlaces.text + PlantedPlaces.text
    for (type, data) in [
      ("tmap", [0, 0, 0, 0, 0, 0] + text.prefix(56)), ("tmap", [0, 0, 0, 0, 0, 8] + text.prefix(32)),
      ("iovl", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0] + text.prefix(24)),
    ] as [(String, [UInt8])] {
      var file = Self.plain()
      file.brands = ["mif1", "tmap", "heic"]
      file.items.append(.init(number: 2, type: "hvc1", data: Self.picture("gain"), properties: [-1]))
      file.items.append(.init(number: 3, type: type, data: data, properties: [2]))
      file.references = [("dimg", 3, [1, 2])]
      if type == "iovl" { file.primary = 3 }
      file.inMeta = isoBox("grpl", isoFullBox("altr", big(9) + big(2) + big(3) + big(1)))
      let output = try? stripHEIF(file.bytes, StripOptions(except: [.hdrGainMap])).output
      #expect((output == nil) == (type == "iovl"))
      #expect(output.map { PlantedPlaces.isPresent(in: $0) } != true)
    }
  }

  @Test("The verification finds what an output should not have")
  func secondLook() throws {
    let clean = try stripHEIF(Self.plain().bytes).output
    #expect(look(clean) == nil)
    #expect(look(clean + isoBox("free", [1])) == .residue)
    #expect(look(clean + [1]) == .damaged)
    // Into a handler's name, the minor version of ftyp, and the item's name.
    for offset in [12, 16] {
      var changed = clean
      changed[offset + (offset == 12 ? 3 : 1)] = 65
      #expect(look(changed) == .residue, "byte \(offset)")
    }
    var longer = clean
    longer.append(7)
    let mdat = try #require(offset(of: "mdat", in: longer)) - 8
    longer.replaceSubrange(mdat..<(mdat + 4), with: big(longer.count - mdat))
    #expect(look(longer) == .residue)
    var exif = Self.plain()
    exif.items.append(.init(number: 2, type: "Exif", data: big(0) + TinyTIFF.block([.text(271, "x")])))
    #expect(look(exif.bytes) == .residue)
  }

  private func look(_ bytes: [UInt8]) -> MetadataError.Code? {
    code { try withSource(bytes) { try HEIFVerification.verify($0, options: StripOptions()) } }
  }

  /// Where the body of the first box of that type starts.
  private func offset(of type: String, in bytes: [UInt8]) -> Int? {
    let name = Array(type.utf8)
    return bytes.indices.first { bytes[$0...].starts(with: name) }.map { $0 + 4 }
  }

  @Test("What is excepted stands in items of its own, and nothing beside it")
  func exceptions() throws {
    var file = Self.plain()
    let block = TinyTIFF.block(
      [.text(271, "Maker"), .text(272, "Model 1"), .text(305, "secret software")],
      exif: [.text(0x9003, "2024:05:06 07:08:09"), .text(0xA431, "secret serial")],
      location: [.text(1, "N"), .degrees(2), .text(3, "E"), .degrees(4)]
    )
    file.items.append(.init(number: 2, type: "Exif", data: big(6) + Array("Exif\0\0".utf8) + block))
    file.references = [("cdsc", 2, [1])]
    let options = StripOptions(except: [.camera, .creationDate])
    let output = try stripHEIF(file.bytes, options).output
    let kept = try #require(facts(ofHEIF: output))
    #expect(kept.camera?.contains("Maker") == true && kept.creationDate?.local == "2024-05-06T07:08:09")
    #expect(try !statesPlace(output) && !output.contains("secret"))
    #expect(try !stripHEIF(file.bytes).output.contains("Maker"))
    // The same output is too much for who asked for less.
    #expect(look(output) == .residue)
  }
}
