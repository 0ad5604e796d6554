internal import MediaAudit
internal import MediaLibrary
internal import MediaModel

/// The files of assets, as outcome records and published files tell them.
extension LogReplay {
  /// `2026-11-21/014439.123456` of an output below `Originals`.
  static func folder(of outcome: LoggedOutcome) -> String? {
    guard let output = outcome.record.output else { return nil }
    let parts = text(output.path).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "Originals" else { return nil }
    return "\(parts[1])/\(parts[2])"
  }

  static func resource(_ outcome: LoggedOutcome) -> StagedResource? {
    let record = outcome.record
    guard let output = record.output,
      let name = text(output.path).split(separator: "/").last.map(String.init),
      let dot = name.lastIndex(of: "."),
      let format = ResourceFormat(publishedExtension: name[name.index(after: dot)...])
    else { return nil }
    return StagedResource(
      role: record.role ?? format.media.map { ResourceRole(mediaType: $0.mediaType) } ?? .sidecar,
      fileName: name,
      format: format,
      bytes: Int64(output.bytes),
      sha256: output.sha256,
      sourceDigest: record.sourceDigest?.bytes ?? [],
      source: record.source,
      sourcePath: record.path
    )
  }

  /// The facts that the catalogue had of a published file: what it says itself, as far as its policy
  /// lets it be told.
  mutating func facts(
    of outcome: LoggedOutcome,
    _ resource: StagedResource,
    _ format: MediaFormat,
    _ path: String,
    _ saveTime: SaveTime,
    sidecars: [MediaDescription]
  ) -> Facts {
    let identifier = outcome.record.localIdentifier ?? ""
    func earlierFacts() -> Facts? {
      earlier?.facts(of: identifier, saved: saveTime, format: format)
    }
    switch answers[path] {
    case .read(let facts, let sha256):
      if sha256 == resource.sha256 {
        if outcome.record.policy?.strips == true { return Self.publishable(facts, outcome.record) }
        var completed = facts.completed(
          path: outcome.record.path,
          modified: outcome.access?.modified ?? 0,
          saved: saveTime.microseconds,
          rules: dateRules[outcome.run]?[outcome.record.source] ?? DateRules([]),
          about: outcome.record.dateAbout.flatMap(AboutDate.init),
          sidecars: sidecars,
          shift: { _ in outcome.record.dateShift.flatMap(ClockShift.seconds) }
        )
        // Neither the file nor the log has the place that a track gave, or the name of a place.
        let isPlaced = completed.description?.place != nil
        if completed.description != nil, !isPlaced || hasEarlierPlaceNames,
          let description = earlierFacts()?.description
        {
          if !isPlaced, completed.description?.placeTag == nil, description.placeTag == TrackPlaces.tag {
            completed.description?.place = description.place
            completed.description?.placeTag = description.placeTag
          }
          if completed.description?.place == description.place {
            completed.description?.placeName = description.placeName
          }
        }
        return Self.publishable(completed, outcome.record)
      }
      findings[path] = "other bytes than were published"
    case .unreadable(let detail): findings[path] = detail
    case .missing, .readSidecar, nil: findings[path] = "missing"
    }
    return earlierFacts() ?? Facts(format: format)
  }

  /// The descriptions in the published sidecars of an asset's main file, in the order in which a run asks them; one that
  /// is not as it was published says nothing.
  mutating func sidecars(
    of main: LoggedOutcome,
    among members: [LoggedOutcome]
  ) -> [MediaDescription] {
    let sidecars = members.filter { member in
      member.record.role == .sidecar
        && SidecarName(member.record.path, of: main.record.path) != nil
    }
    .sorted { SidecarName.precedes($0.record.path, $1.record.path, of: main.record.path) }
    return sidecars.compactMap { member in
      guard let output = member.record.output else { return nil }
      let path = Self.text(output.path)
      switch answers[path] {
      case .readSidecar(let description, let sha256):
        if sha256 == output.sha256 { return description }
        findings[path] = "other bytes than were published"
      case .unreadable(let detail): findings[path] = detail
      case .read, .missing, nil: findings[path] = "missing"
      }
      return nil
    }
  }

  static func publishable(_ facts: Facts, _ record: Outcome) -> Facts {
    let policy = record.policy ?? .keep
    var facts = policy.strips ? facts.publishable(under: policy.stripOptions()) : facts
    if facts.description?.place != nil { facts.hasLocation = true }
    if record.removed.contains(where: { $0.name == RemovedMetadata.audioTrack }) {
      facts.durationMilliseconds = facts.tracks.compactMap(\.durationMilliseconds).max()
    }
    return facts
  }

  mutating func thumbnails(of outcome: LoggedOutcome) -> [StagedThumbnail] {
    let order = Dictionary(
      (outcome.specs ?? []).enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { $1 }
    )
    let sorted = outcome.record.thumbnails.sorted { left, right in
      (order[left.name] ?? .max, left.name) < (order[right.name] ?? .max, right.name)
    }
    var thumbnails: [StagedThumbnail] = []
    for thumbnail in sorted {
      let (name, output) = (thumbnail.name, thumbnail.file)
      let path = Self.text(output.path)
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 4, parts[0] == "Thumbnails", parts[1] == name else { continue }
      var fingerprint =
        outcome.specs?.first { $0.name == name }?.fingerprint
        ?? earlier?.fingerprint(ofThumbnail: path, sha256: output.sha256)
      var size = output.pixelSize
      if size == nil, case .read(let facts, _) = answers[path] { size = facts.pixelSize }
      if fingerprint == nil {
        unknownThumbnails += 1
        fingerprint = ""
      }
      thumbnails.append(
        StagedThumbnail(
          name: name,
          fingerprint: fingerprint ?? "",
          size: size ?? PixelSize(width: 0, height: 0),
          stagedName: "",
          date: String(parts[2]),
          fileName: String(parts[3]),
          bytes: Int64(output.bytes),
          sha256: output.sha256,
          thumbHash: earlier?.thumbHash(ofThumbnail: path, sha256: output.sha256),
          perceptualHash: earlier?.perceptualHash(ofThumbnail: path, sha256: output.sha256)
        )
      )
    }
    return thumbnails
  }
}
