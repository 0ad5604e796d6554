internal import MediaModel
internal import MediaSyntax

/// The keys of the thumbnails.
enum ThumbnailKeys {
  private typealias Key = ManifestKey<ThumbnailSpec>

  private static let maximumCount = 16

  static var thumbnails: ManifestKey<Manifest> {
    ManifestKey(
      "thumbnails",
      .named(keys("").descriptions),
      read: { checker, field, manifest in manifest.thumbnails = read(&checker, field) },
      compare: { comparison, old, new, path in
        for spec in new.thumbnails {
          let path = JSONPath.member(path, spec.name)
          if var before = old.thumbnails.first(where: { $0.name == spec.name }) {
            keys(spec.name).compare(&comparison, &before, spec, path)
          } else {
            let json = ComparisonText.quoted(spec.fingerprint)
            comparison.note(path, nil, json, "The thumbnail is new.")
          }
        }
        for spec in old.thumbnails where !new.thumbnails.contains(where: { $0.name == spec.name }) {
          let json = ComparisonText.quoted(spec.fingerprint)
          let path = JSONPath.member(path, spec.name)
          comparison.note(path, json, nil, "The thumbnail is left out.", .thumbnailLeftOut)
        }
        old.thumbnails = new.thumbnails
      }
    )
    .byDefault("none")
    .meaning("at most 16, by name: 1 to 64 of `a-z A-Z 0-9 - _`, unique without regard to case")
  }

  private static func keys(_ name: String) -> ObjectKeys<ThumbnailSpec> {
    let size = PixelSize(width: 1, height: 1)
    return ObjectKeys(
      blank: ThumbnailSpec(name: name, size: size, contentMode: .aspectFit),
      keys: pictureKeys + fileKeys,
      check: { $0.checkFormat(of: $2, $1) }
    )
  }

  /// What a thumbnail shows.
  private static var pictureKeys: [Key] {
    [
      Key(
        "size",
        \.size,
        .size,
        .when(.thumbnailSmaller) { $0.new.isSmaller(than: $0.old) },
        changed: "The thumbnail has another box."
      )
      .required(such: "[400, 400]").meaning(
        "width, then height, in pixels, each 1 to 16384; or `maximum`: as large as the picture is"
      ),
      Key(
        "mediaTypes",
        \.mediaTypes,
        .mediaTypes,
        .when(.thumbnailLeftOut) {
          ($0.now ?? Set(MediaType.allCases)).isSubset(of: $0.before ?? Set(MediaType.allCases))
        },
        changed: "The thumbnail is made of other kinds of media."
      )
      .byDefault("all").meaning("`image`, `video`, `audio`: the media that it is made of"),
      Key("contentMode", \.contentMode, .word, changed: "The thumbnail shows another part of the picture.")
        .meaning(
          "`aspectFit`: the whole picture within the box; `aspectFill`: the box filled, what stands "
            + "over cropped"
        ),
    ]
  }

  /// How a thumbnail is written.
  private static var fileKeys: [Key] {
    [
      Key(
        "quality",
        \.quality,
        .integer(1...100),
        .becomingLower(.thumbnailSmaller),
        changed: "The thumbnail has another quality."
      )
      .meaning("1 to 100, of JPEG and WebP; a mistake beside `png`"),
      Key("format", \.format, .word, changed: "The thumbnail is another kind of file.")
        .meaning("`jpeg`, `webp` or `png`; the last two keep transparency"),
      Key(
        "colorSpace",
        \.colorSpace,
        .optional(.word),
        changed: "The thumbnail's colors are written in another way."
      )
      .byDefault("by the profile's size")
      .meaning(
        "`sRGB`: converted by the picture's profile; `keep`: the profile travels along. Left out, a "
          + "small profile is kept and a large one converted"
      ),
      Key(
        "background",
        \.background,
        .color,
        changed: "Something else is seen through a transparent picture."
      )
      .meaning(
        "`#rrggbb`: what is seen through a transparent picture in a JPEG; a mistake beside another "
          + "format"
      ),
    ]
  }

  private static func read(_ checker: inout ManifestChecker, _ field: Field) -> [ThumbnailSpec] {
    guard case .object(let members) = field.node.value else {
      checker.reportWrongType(field, expected: "an object")
      return []
    }
    if members.count > maximumCount {
      checker.report(.outOfRange, "more than \(maximumCount) thumbnails", at: field)
      return []
    }
    var lines: [String: Int] = [:]
    let specs = members.map { member in
      let field = Field(member, in: field.path)
      let name = Spelling.quoted(member.key)
      let key = member.key.utf8
      if !(1...64).contains(key.count) || !key.allSatisfy(isThumbnailNameByte) {
        checker.report(
          .invalidText,
          "\(name) cannot be the name of a thumbnail, which has 1 to 64 of certain characters",
          at: field,
          atKey: true,
          allowed: ["a-z", "A-Z", "0-9", "-", "_"]
        )
      } else if let first = lines.updateValue(member.keyPosition.line, forKey: member.key.lowercased()) {
        checker.report(
          .duplicateKey,
          "\(name) and the thumbnail in line \(first) differ only in case, and would be one folder "
            + "on some file systems",
          at: field,
          atKey: true
        )
      }
      let keys = keys(member.key)
      var spec = keys.blank
      keys.read(&checker, field, into: &spec)
      return spec
    }
    return specs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func isThumbnailNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == .hyphen || byte == .underscore
  }
}

extension ManifestChecker {
  /// Reports the keys of a thumbnail that its format has no use for.
  fileprivate mutating func checkFormat(of spec: ThumbnailSpec, _ object: CheckedObject) {
    if spec.format == .png, let field = object["quality"] {
      let message = "\"png\" has no quality; leave \"quality\" out"
      report(.notApplicable, message, at: field, atKey: true)
    }
    if spec.format != .jpeg, let field = object["background"] {
      let format = spec.format.rawValue
      let message = "\"\(format)\" keeps transparency; leave \"background\" out"
      report(.notApplicable, message, at: field, atKey: true)
    }
  }
}

extension ThumbnailSpec {
  /// Whether no picture shows more in this box than in the other one. A box that is filled crops,
  /// so that only one of the same shape shows the same part.
  fileprivate func isSmaller(than other: ThumbnailSpec) -> Bool {
    guard size.width <= other.size.width, size.height <= other.size.height else { return false }
    return (contentMode == .aspectFit && other.contentMode == .aspectFit)
      || size.width * other.size.height == other.size.width * size.height
  }
}
