internal import MediaModel
internal import MediaSyntax

extension ManifestChecker {
  mutating func metadata(_ node: JSONNode, path: String) -> MetadataPolicy? {
    let keys = KeySet(known: ["policy", "except"])
    guard let object = object(node, path: path, keys: keys) else { return nil }
    let member = object.member("policy")
    // An object that does not say stands for the default; it never falls back to a weaker policy.
    let policy =
      member == nil ? .strip : word(member, in: object, as: MetadataPolicy.Word.self)
    guard let except = object.member("except") else {
      return policy.map { $0 == .keep ? .keep : .strip }
    }
    let exceptPath = object.path(of: "except")
    if policy == .keep {
      report(
        ValueIssue(.notApplicable, "\"except\" beside \"keep\", which leaves everything"),
        at: except.keyPosition,
        path: exceptPath
      )
      return nil
    }
    let exceptions = exceptions(except.value, path: exceptPath)
    return policy == nil ? nil : exceptions
  }

  /// `except`: words, and `{"location": "coarse"}`; each exception once.
  private mutating func exceptions(_ node: JSONNode, path: String) -> MetadataPolicy? {
    guard case .array(let elements) = node.value else {
      reportWrongType(node, path: path, expected: "a list")
      return nil
    }
    var except: Set<MetadataException> = []
    var isCoarse = false
    for (index, element) in elements.enumerated() {
      let elementPath = JSONPath.element(path, index)
      var exception: MetadataException?
      if case .object = element.value {
        let keys = KeySet(known: ["location"])
        guard let object = object(element, path: elementPath, keys: keys),
          word(
            required("location", in: object),
            in: object,
            as: LocationPrecision.self
          ) != nil
        else { continue }
        exception = .location
        isCoarse = true
      } else {
        let words = MetadataException.allCases.map { ($0.rawValue, $0) }
        exception = word(element, path: elementPath, words: words)
      }
      guard let exception else { continue }
      if !except.insert(exception).inserted {
        report(
          ValueIssue(.duplicateValue, "\"\(exception.rawValue)\" is in the list already"),
          at: element.position,
          path: elementPath
        )
      }
    }
    return MetadataPolicy(except: except, isLocationCoarse: isCoarse)
  }

  mutating func thumbnails(_ node: JSONNode) -> [ThumbnailSpec] {
    let path = JSONPath.member(JSONPath.root, "thumbnails")
    guard case .object(let members) = node.value else {
      reportWrongType(node, path: path, expected: "an object")
      return []
    }
    if members.count > 16 {
      report(
        ValueIssue(.outOfRange, "more than 16 thumbnails"),
        at: node.position,
        path: path
      )
      return []
    }
    var specs: [ThumbnailSpec] = []
    var names: [String: TextPosition] = [:]
    for member in members {
      let memberPath = JSONPath.member(path, member.key)
      if !Self.isThumbnailName(member.key) {
        report(
          ValueIssue(
            .invalidText,
            "\(Spelling.quoted(member.key)) as a thumbnail's name, which has 1 to 64 characters",
            allowed: ["a-z", "A-Z", "0-9", "-", "_"]
          ),
          at: member.keyPosition,
          path: memberPath
        )
      } else if let first = names.updateValue(member.keyPosition, forKey: member.key.lowercased()) {
        report(
          ValueIssue(
            .duplicateKey,
            "\(Spelling.quoted(member.key)) and the thumbnail in line \(first.line) differ only "
              + "in case, and would be one folder on some file systems"
          ),
          at: member.keyPosition,
          path: memberPath
        )
      }
      if let spec = thumbnail(member, path: memberPath) { specs.append(spec) }
    }
    return specs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func isThumbnailName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private mutating func thumbnail(_ member: JSONMember, path: String) -> ThumbnailSpec? {
    let keys = KeySet(
      known: ["size", "contentMode", "quality", "format", "colorSpace", "background"]
    )
    guard let object = object(member.value, path: path, keys: keys) else { return nil }
    let size = required("size", in: object).flatMap {
      self.size($0.value, path: object.path(of: "size"))
    }
    let contentMode = word(object.member("contentMode"), in: object, as: ContentMode.self)
    let quality = object.member("quality").flatMap {
      integer($0.value, path: object.path(of: "quality"), range: 1...100)
    }
    let format = word(object.member("format"), in: object, as: ThumbnailFormat.self) ?? .jpeg
    let colorSpace = word(object.member("colorSpace"), in: object, as: ThumbnailColorSpace.self)
    let background = color(object.member("background"), in: object)
    if format == .png, let member = object.member("quality") {
      reportNotApplicable(member, in: object, "\"quality\" beside \"png\", which loses nothing")
    }
    if format != .jpeg, let member = object.member("background") {
      reportNotApplicable(
        member,
        in: object,
        "\"background\" beside \"\(format.rawValue)\", which keeps transparency"
      )
    }
    return size.map {
      ThumbnailSpec(
        name: member.key,
        size: $0,
        contentMode: contentMode ?? .aspectFit,
        quality: quality ?? 80,
        format: format,
        colorSpace: colorSpace,
        background: background ?? .white
      )
    }
  }

  private mutating func reportNotApplicable(
    _ member: JSONMember,
    in object: CheckedObject,
    _ what: String
  ) {
    report(
      ValueIssue(.notApplicable, what),
      at: member.keyPosition,
      path: object.path(of: member.key)
    )
  }

  /// A colour of sRGB as `#rrggbb`.
  private mutating func color(_ member: JSONMember?, in object: CheckedObject) -> RGBColor? {
    guard let member, let text = text(member, in: object, limit: 255) else { return nil }
    let digits = text.utf8.dropFirst().compactMap(Hexadecimal.value)
    guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else {
      report(
        ValueIssue(.invalidText, "a colour is expected, such as \"#ffffff\""),
        at: member.value.position,
        path: object.path(of: member.key)
      )
      return nil
    }
    return RGBColor(
      red: digits[0] << 4 | digits[1],
      green: digits[2] << 4 | digits[3],
      blue: digits[4] << 4 | digits[5]
    )
  }

  /// `limits`: what one item may take.
  mutating func limits(_ node: JSONNode) -> ItemLimits? {
    let keys = KeySet(known: Self.limits.map(\.key))
    let path = JSONPath.member(JSONPath.root, "limits")
    guard let object = object(node, path: path, keys: keys) else { return nil }
    var limits = ItemLimits()
    for (key, limit, range) in Self.limits {
      guard let member = object.member(key) else { continue }
      if let value = integer(member.value, path: object.path(of: key), range: range) {
        limits[keyPath: limit] = value
      }
    }
    return limits
  }

  /// The highest that a worker can bear: it has a fixed amount of memory.
  private static var limits: [(key: String, WritableKeyPath<ItemLimits, Int>, ClosedRange<Int>)] {
    [
      ("bytes", \.bytes, 1...(1 << 50)),
      ("pixels", \.pixels, 1...1_000_000_000),
      ("frames", \.frames, 1...10_000_000),
      ("textBytes", \.textBytes, 0...(256 << 20)),
      ("profileBytes", \.profileBytes, 0...(64 << 20)),
      ("seconds", \.seconds, 1...3600),
    ]
  }

  private mutating func size(_ node: JSONNode, path: String) -> PixelSize? {
    guard case .array(let sides) = node.value else {
      reportWrongType(node, path: path, expected: "a list of width and height, such as [256, 256],")
      return nil
    }
    guard sides.count == 2 else {
      report(
        ValueIssue(
          .outOfRange,
          "a list of width and height is expected, not of \(sides.count) values"
        ),
        at: node.position,
        path: path
      )
      return nil
    }
    let width = integer(sides[0], path: JSONPath.element(path, 0), range: 1...16384)
    let height = integer(sides[1], path: JSONPath.element(path, 1), range: 1...16384)
    guard let width, let height else { return nil }
    return PixelSize(width: width, height: height)
  }

  mutating func labels(_ node: JSONNode) -> Manifest.Labels {
    let path = JSONPath.member(JSONPath.root, "labels")
    let keys = KeySet(known: ["file", "template", "neutral"])
    guard let object = object(node, path: path, keys: keys) else { return Manifest.Labels() }
    let file = self.path(object.member("file"), in: object)
    let member = object.member("template")
    let text = text(member, in: object, limit: LabelTemplate.maximumLength)
    var template: LabelTemplate?
    if let member, let text {
      do throws(ValueIssue) {
        template = try LabelTemplate(text)
      } catch {
        report(error, at: member.value.position, path: object.path(of: "template"))
      }
    }
    let neutral = object.member("neutral")
    let isNeutral = flag(neutral, in: object) ?? false
    let other = ["file", "template"].first { object.member($0) != nil }
    if isNeutral, let neutral, let other {
      report(
        ValueIssue(
          .notApplicable,
          "\"neutral\" beside \"\(other)\": labels are numbers, or tell something"
        ),
        at: neutral.keyPosition,
        path: object.path(of: "neutral")
      )
    }
    return Manifest.Labels(file: file, template: template, neutral: isNeutral)
  }

  mutating func output(_ member: JSONMember?) -> (path: String, position: TextPosition)? {
    guard let member else { return nil }
    let path = JSONPath.member(JSONPath.root, "output")
    guard let object = object(member.value, path: path, keys: KeySet(known: ["path"])),
      let pathMember = required("path", in: object)
    else { return nil }
    return self.path(pathMember, in: object).map { ($0, pathMember.value.position) }
  }
}

/// How exact a location is that `strip` leaves.
private enum LocationPrecision: String, CaseIterable {
  case coarse
}
