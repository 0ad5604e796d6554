import MediaContainers
import MediaMetadata
import MediaModel
import MediaTestSupport
import Testing

@Suite("Subtypes that the container of a HEIC tells")
struct HEIFSubtypeTests {
  /// A picture, a second one that may be its depth, and the other eye.
  private static func file(_ urn: String, of primary: Int, pair: [Int]) -> HEIFFixture {
    var file = HEIFFixture()
    file.properties = [
      TinyCoded.hvcC(), TinyCoded.ispe(64, 48), TinyCoded.auxC(urn),
    ]
    file.items = (1...3).map { number in
      let properties = [-1, 2] + (number == 2 ? [3] : [])
      let data = TinyCoded.nal(19, [UInt8(number)])
      return .init(number: number, type: "hvc1", data: data, properties: properties)
    }
    file.references = [("auxl", 2, [primary])]
    if !pair.isEmpty {
      let pictures = big(pair.count) + pair.flatMap { big($0) }
      file.inMeta = isoBox("grpl", isoFullBox("ster", big(9) + pictures))
    }
    return file
  }

  private static func subtypes(_ file: HEIFFixture) -> MediaSubtypes {
    withSource(file.bytes) { MetadataReader.description(of: $0, format: .heic).subtypes }
  }

  private static let depth = "urn:mpeg:hevc:2015:auxid:2"

  @Test("A depth map of the primary picture is a depth effect")
  func depthEffect() {
    let apple = "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
    for urn in [Self.depth, apple] {
      #expect(Self.subtypes(Self.file(urn, of: 1, pair: [])) == .photoDepthEffect)
    }
    // The depth of another picture, a matte and an alpha plane.
    #expect(Self.subtypes(Self.file(Self.depth, of: 3, pair: [])) == [])
    for urn in ["urn:com:apple:photo:2018:aux:portraiteffectsmatte", "urn:mpeg:hevc:2015:auxid:1"] {
      #expect(Self.subtypes(Self.file(urn, of: 1, pair: [])) == [])
    }
  }

  @Test("A stereo pair with the primary picture is spatial")
  func spatial() {
    let alpha = "urn:mpeg:hevc:2015:auxid:1"
    for pair in [[1, 3], [3, 1]] {
      #expect(Self.subtypes(Self.file(alpha, of: 1, pair: pair)) == .spatialMedia)
    }
    for pair in [[2, 3], [1], [1, 2, 3]] {
      #expect(Self.subtypes(Self.file(alpha, of: 1, pair: pair)) == [])
    }
    let both = Self.file(Self.depth, of: 1, pair: [1, 3])
    #expect(Self.subtypes(both) == [.photoDepthEffect, .spatialMedia])
    // What is not asked for is not stored: the facts without a description have no subtypes.
    let facts = withSource(both.bytes) { try? MetadataReader.facts(of: $0, format: .heic) }
    #expect(facts?.subtypes == [])
  }
}
