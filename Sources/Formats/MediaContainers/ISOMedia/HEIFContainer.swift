/// The top-level boxes of a picture file that stripping uses, and the names of the others.
///
/// Source: ISO/IEC 14496-12 sections 4.3 and 6.2; ISO/IEC 23008-12 section 10.
package struct HEIFContainer {
  /// The major brand.
  package var major: FourCharacterCode
  /// The known compatible brands, each once.
  package var brands: [FourCharacterCode]
  /// The meta box of the file.
  package var meta: ISOBox?
  /// The moov box of a picture sequence, when the brands declare one.
  package var moov: ISOBox?
  /// The media data boxes.
  package var mdats: [ISOBox] = []
  /// The range of the whole box of the first C2PA manifest store.
  package var credentials: Range<Int>?
  /// The names of what the output will not contain.
  package var removed: [String] = []

  /// The UUID of a box with a C2PA manifest store.
  ///
  /// Source: C2PA Technical Specification 2.1 section A.5.1.
  package static let credentialsIdentifier: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]

  /// The brands that declare that a moov holds a picture sequence.
  static let sequenceBrands: Set<FourCharacterCode> = [
    "msf1", "avis", "hevc", "hevx", "hevm", "hevs", "avcs",
  ]

  /// The brands that an output may declare; the requirements of each hold without metadata.
  private static let knownBrands: Set<FourCharacterCode> = {
    var brands: Set<FourCharacterCode> = [
      "mif1", "mif2", "heic", "heix", "heim", "heis", "avif", "avio", "avci", "miaf", "MiHB",
      "MiHA", "MiHE", "MiAn", "MiPr", "MiCm", "MA1A", "MA1B", "tmap", "1pic",
    ]
    brands.formUnion(sequenceBrands)
    return brands
  }()

  /// The brands of movies, with which a sequence may also be compatible.
  private static let movieBrands: Set<FourCharacterCode> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42",
  ]

  private static let maximumBrands = 64

  /// Parses the top-level boxes of a picture file.
  ///
  /// - Throws: `damaged` without a valid ftyp, or for a duplicate box.
  package init(of source: ByteSource) throws(MetadataError) {
    let boxes = Array(ISOBoxes(source, in: 0..<source.length))
    guard let ftyp = boxes.first, ftyp.type == "ftyp", ftyp.body.count >= 8 else {
      throw MetadataError(.damaged, "no ftyp")
    }
    var fields = ISOFields(source, ftyp.body, "ftyp")
    major = try fields.code()
    _ = try fields.number(4)
    var brands: [FourCharacterCode] = []
    while fields.left >= 4, brands.count < Self.maximumBrands {
      let brand = try fields.code()
      if !brands.contains(brand) { brands.append(brand) }
    }
    self.brands = brands
    var end = ftyp.body.upperBound
    for box in boxes.dropFirst() {
      // A second ftyp begins a second file after the first: the video of a motion photo.
      if box.type == "ftyp" { break }
      let start = end
      end = box.body.upperBound
      switch box.type {
      case "uuid" where source.holds(Self.credentialsIdentifier, at: box.body.lowerBound):
        if credentials == nil {
          credentials = start..<end
        } else {
          removed.append("uuid box")
        }
      case "meta":
        guard meta == nil else { throw MetadataError(.damaged, "a second meta") }
        meta = box
      case "moov":
        guard moov == nil else { throw MetadataError(.damaged, "a second moov") }
        moov = box
      case "mdat": mdats.append(box)
      case "mpvd": removed.append("motion photo video")
      case "mini": throw MetadataError(.stripUnsupported, "HEIF with mini")
      case "moof": throw MetadataError(.stripUnsupported, "HEIF with moof")
      default: removed.append("\(box.type.displayName) box")
      }
    }
    if end < source.length { removed.append("trailer") }
    if moov != nil, !Self.sequenceBrands.contains(major),
      Self.sequenceBrands.isDisjoint(with: brands)
    {
      moov = nil
      removed.append("moov box")
    }
  }

  /// Returns the ftyp of an output.
  package func ftyp(hasSequence: Bool, hasToneMap: Bool) -> [UInt8] {
    let kept = brands.filter { brand in
      if brand == "tmap" { return hasToneMap }
      if Self.sequenceBrands.contains(brand) || Self.movieBrands.contains(brand) {
        return hasSequence
      }
      return Self.knownBrands.contains(brand)
    }
    // A sequence file without its sequence is a picture.
    var first = major
    if !hasSequence, Self.sequenceBrands.contains(major) {
      first = ["avis": "avif", "avcs": "avci", "msf1": "mif1"][major] ?? "heic"
    }
    if !Self.knownBrands.contains(first) { first = "mif1" }
    return ISOWriter.box("ftyp", first.bytes + [0, 0, 0, 0] + kept.flatMap(\.bytes))
  }
}
