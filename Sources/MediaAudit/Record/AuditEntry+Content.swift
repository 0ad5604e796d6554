package import MediaModel
internal import MediaSyntax

/// The records of a log as the values that they were made of, for making a catalogue from them.
///
/// Each is nil for a record of another event, and for one that lacks a member that it has to have.
extension AuditEntry {
  /// A file that was about to be opened.
  package struct Access: Sendable, Hashable {
    package var source: SourceKind
    package var path: ItemPath
    /// In bytes.
    package var size: Int64
    /// In nanoseconds since 1970, as ``changed``.
    package var modified: Int64
    /// Nil in a log of a version that did not write it.
    package var changed: Int64?
    package var device: UInt64
    package var inode: UInt64
  }

  /// The file of an access record.
  package var access: Access? {
    guard event == .access, let source, let path, let size = integer("size"),
      let modified = integer("modified"), let device = text("device").flatMap({ UInt64($0) }),
      let inode = text("inode").flatMap({ UInt64($0) })
    else { return nil }
    return Access(
      source: source,
      path: path,
      size: size,
      modified: modified,
      changed: integer("changed"),
      device: device,
      inode: inode
    )
  }

  /// The item of an outcome record; a member that is not understood is left out.
  package var item: Outcome? {
    guard event == .outcome, let source, let path, let outcome else { return nil }
    var item = Outcome(source: source, path: path, outcome: outcome)
    for field in Outcome.fields(in: .log) {
      if let value = fields[field.name] { Self.read(value, as: field.form, into: &item) }
    }
    return item
  }

  private static func read(
    _ value: JSONValue,
    as form: Outcome.Form,
    into item: inout Outcome
  ) {
    switch (form, value) {
    case (.word(let word), .string(let text)): _ = word.set(&item, text)
    case (.text(let member), .string(let text)): item[keyPath: member] = text
    case (.flag(let flag), .bool(let isTrue)): item[keyPath: flag] = isTrue
    case (.digest(let digest), .string(let text)):
      item[keyPath: digest] = Hexadecimal.bytes(text)
    case (.file(let file), _): item[keyPath: file] = written(value)
    case (.sourceDigest(let isKeyed), .string(let text)):
      // The SHA-256 comes first in the list, and is believed where a record has both.
      item.sourceDigest =
        item.sourceDigest ?? Hexadecimal.bytes(text).map { SourceDigest($0, isKeyed: isKeyed) }
    case (.removed, .array(let values)): item.removed = values.compactMap(removed)
    case (.thumbnails, .array(let values)):
      for case .object(let members) in values {
        guard case .string(let name)? = members["name"], let file = written(.object(members))
        else { continue }
        item.thumbnails.removeAll { $0.name == name }
        item.thumbnails.append(Outcome.Thumbnail(name: name, file: file))
      }
    default: break
    }
  }

  private static func removed(_ value: JSONValue) -> RemovedMetadata? {
    guard case .object(let members) = value, case .string(let name)? = members["name"],
      case .integer(let count)? = members["count"], let count = Int(exactly: count)
    else { return nil }
    return RemovedMetadata(name: name, count: count)
  }

  /// The file that a `superseded` record says was removed.
  package var supersededOutput: OutputFile? {
    event == .superseded ? Self.written(fields["output"]) : nil
  }

  /// The thumbnail that a `restored` record says was made again from a published original, with its settings.
  package var madeThumbnail: (asset: String, output: OutputFile, spec: AuditThumbnailSpec)? {
    guard event == .restored, let asset = text("asset"), let fingerprint = text("fingerprint"),
      let output = Self.written(fields["output"])
    else { return nil }
    let parts = output.path.bytes.split(separator: UInt8(ascii: "/"))
    guard parts.count == 4, parts[0].elementsEqual("Thumbnails".utf8) else { return nil }
    let name = String(decoding: parts[1], as: UTF8.self)
    return (asset, output, AuditThumbnailSpec(name: name, fingerprint: fingerprint))
  }

  /// The file that a `relabelled` record says is renamed.
  package var rename: AuditRename? {
    guard event == .relabelled, let asset = text("asset"), let previous = text("previousPath"),
      let output = Self.written(fields["output"])
    else { return nil }
    return AuditRename(
      asset: asset,
      previousPath: ItemPath(bytes: EscapedText.bytes(percentEscaped: previous)),
      output: output
    )
  }

  /// The asset and the file that a `withdrawn` record says is moved aside.
  package var withdrawal: (asset: String, output: OutputFile)? {
    guard event == .withdrawn, let asset = text("asset"),
      let output = Self.written(fields["output"])
    else { return nil }
    return (asset, output)
  }

  /// The file that an `added` record says is added to the photo library.
  package var addition: AuditAddition? {
    guard event == .added, let source, let path, let asset = text("asset"),
      let addedPath = text("addedPath"), let bytes = integer("bytes").flatMap({ Int(exactly: $0) }),
      let sourceDigest
    else { return nil }
    return AuditAddition(
      source: source,
      path: path,
      asset: asset,
      addedPath: ItemPath(bytes: EscapedText.bytes(percentEscaped: addedPath)),
      bytes: bytes,
      sourceDigest: sourceDigest
    )
  }

  private var sourceDigest: SourceDigest? {
    func digest(_ key: String, isKeyed: Bool) -> SourceDigest? {
      text(key).flatMap { Hexadecimal.bytes($0) }.map { SourceDigest($0, isKeyed: isKeyed) }
    }
    return digest("sourceSHA256", isKeyed: false) ?? digest("sourceHMAC", isKeyed: true)
  }

  /// The decision of a person about stacks that a `stacked` or `unstacked` record tells.
  package var stacking: Stacking? {
    guard event == .stacked || event == .unstacked, case .array(let values)? = fields["assets"]
    else { return nil }
    let assets = values.compactMap { if case .string(let asset) = $0 { asset } else { nil } }
    return Stacking(assets: assets, isApart: event == .unstacked)
  }

  /// The first record of a run.
  package struct Opening: Sendable, Hashable {
    package var client: String
    /// What people call the client.
    package var clientName = ""
    /// The version of mediabatch; empty in a record that lacks it.
    package var tool = ""
    package var manifestSHA256: String
    /// The number of the manifest's bytes, where the run has kept its text; nil in a log of a version that
    /// did not, and for a command.
    package var manifestBytes: Int?
    /// In the manifest's order; nil in a log of a version that did not write them.
    package var thumbnailSpecs: [AuditThumbnailSpec]?
    /// Whether the manifest makes albums of the sources' folders.
    package var albumsFromFolders = false
    /// The rules for dates; none in a log of a version that did not have them.
    package var dateRules = DateRules([])
    /// The names of the time zones by which dates were completed, by source.
    package var timeZones: [SourceKind: String] = [:]
    /// Whether the run stored private facts.
    package var keepsPrivateFacts = false
    /// The check value of the library's digest key; nil where the record has none.
    package var digestKeyCheck: String?
  }

  /// The client and the inputs of a run, in its first record.
  package var opening: Opening? {
    guard event == .run, case .object(let client)? = fields["client"],
      case .string(let identifier)? = client["identifier"],
      let manifestSHA256 = text("manifestSHA256")
    else { return nil }
    var opening = Opening(client: identifier, manifestSHA256: manifestSHA256)
    if case .string(let name)? = client["name"] { opening.clientName = name }
    opening.manifestBytes = integer("manifestBytes").flatMap { Int(exactly: $0) }
    opening.tool = text("tool") ?? ""
    if case .array(let values)? = fields["thumbnailSpecs"] {
      opening.thumbnailSpecs = values.compactMap { value in
        guard case .object(let members) = value, case .string(let name)? = members["name"],
          case .string(let fingerprint)? = members["fingerprint"]
        else { return nil }
        return AuditThumbnailSpec(name: name, fingerprint: fingerprint)
      }
    }
    if case .object(let albums)? = fields["albums"] {
      opening.albumsFromFolders = albums["fromFolders"] == true
    }
    if case .array(let values)? = fields["dates"] {
      let rules = values.compactMap { value in
        if case .string(let word) = value { DateRules.Rule(rawValue: word) } else { nil }
      }
      opening.dateRules = DateRules(Set(rules))
    }
    if case .object(let zones)? = fields["timeZones"] {
      for kind in SourceKind.allCases {
        if case .string(let name)? = zones[kind.rawValue] { opening.timeZones[kind] = name }
      }
    }
    opening.keepsPrivateFacts = fields["privateFacts"] == true
    opening.digestKeyCheck = text("digestKeyCheck")
    return opening
  }

  /// The library that the `key` record of a run names.
  package var library: String? { event == .key ? text("library") : nil }

  /// All that failures of a source's items depend on besides their files, in the record of a source that
  /// was listed and in that of its candidates; nil in a log of a version that did not write it.
  package var conditions: String? {
    event == .source || event == .candidates ? text("conditions") : nil
  }

  /// The policy under which a run writes a source's files, in the record of the source; nil in a log of a
  /// version that did not write it.
  package var sourcePolicy: MetadataPolicy? {
    event == .source
      ? text("metadataPolicy").flatMap { MetadataPolicy(rawValue: $0) } : nil
  }

  /// The absolute path of the folder that was opened, in the record of a source that was listed; nil for a
  /// camera, which has none.
  package var listedFolder: [UInt8]? {
    guard event == .source, let path = text("resolvedPath") else { return nil }
    let bytes = EscapedText.bytes(percentEscaped: path)
    return bytes.first == UInt8(ascii: "/") ? bytes : nil
  }

  /// The exit code in a run's last record.
  package var exitCode: Int? {
    event == .end ? integer("exitCode").flatMap { Int(exactly: $0) } : nil
  }

  /// The record's time, as it is written.
  package var time: String? { text("time") }

  func text(_ key: String) -> String? {
    if case .string(let text)? = fields[key] { text } else { nil }
  }

  private func integer(_ key: String) -> Int64? {
    if case .integer(let value)? = fields[key] { value } else { nil }
  }

  private static func written(_ value: JSONValue?) -> OutputFile? {
    guard case .object(let members)? = value, case .string(let path)? = members["path"],
      case .string(let sha256)? = members["sha256"], case .integer(let bytes)? = members["bytes"],
      let count = Int(exactly: bytes)
    else { return nil }
    var output = OutputFile(
      path: ItemPath(bytes: EscapedText.bytes(percentEscaped: path)),
      sha256: sha256,
      bytes: count
    )
    if case .integer(let width)? = members["width"], case .integer(let height)? = members["height"],
      let width = Int(exactly: width), let height = Int(exactly: height)
    {
      output.pixelSize = PixelSize(width: width, height: height)
    }
    return output
  }
}

extension AuditEntry.Opening {
  fileprivate init(client: String, manifestSHA256: String) {
    self.init(client: client, manifestSHA256: manifestSHA256, thumbnailSpecs: nil)
  }
}
