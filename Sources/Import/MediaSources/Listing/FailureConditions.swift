internal import MediaDigest
internal import MediaFileSystem
package import MediaListing
package import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaWorkerProtocol

/// All that a failure that cannot change by itself depends on besides the file: while it is the same, the
/// file fails again.
package enum FailureConditions {
  /// The conditions of a listed source: where a limit takes the first of what open files tell, one file
  /// more or less may change the end of any other one.
  package static func digest(
    of source: PlannedSource,
    in manifest: Manifest,
    _ listed: ListedItems
  ) -> String {
    guard source.fetch.limitsByContent else { return digest(of: source, in: manifest) }
    var hasher = SHA256()
    hasher.update(Array(digestOfKeys(of: source, in: manifest).utf8))
    hasher.update(Array("\(source.fetch.fetchLimit)\0".utf8))
    for index in listed.indices where listed.reason(at: index) == nil {
      let status = listed.status(at: index)
      hasher.update(listed.path(at: index).bytes)
      for number in [
        0, status.inode, UInt64(bitPattern: status.size), UInt64(bitPattern: status.modified),
        UInt64(bitPattern: status.changed),
      ] {
        withUnsafeBytes(of: number.littleEndian) { hasher.update($0) }
      }
    }
    return String(Hexadecimal.text(hasher.finalize()).prefix(32))
  }

  /// The conditions of the values by which the files of a source are sorted.
  package static func digestOfKeys(of source: PlannedSource, in manifest: Manifest) -> String {
    var hasher = SHA256()
    hasher.update(Array(digest(of: source, in: manifest).utf8))
    for descriptor in source.fetch.sortDescriptors {
      hasher.update(Array("\(descriptor.text)\0".utf8))
    }
    return String(Hexadecimal.text(hasher.finalize()).prefix(32))
  }

  /// A digest of the job that a worker gets for a file of this source, of the rules that leave items out
  /// after it, and of the number of what the program knows of formats: 32 hexadecimal digits.
  package static func digest(of source: PlannedSource, in manifest: Manifest) -> String {
    let job = Job(
      identifier: 0,
      acceptedMediaTypes: source.acceptedMediaTypes,
      wantsEditList: source.policy.strips,
      strip: source.policy.stripOptions(),
      thumbnails: manifest.thumbnails,
      limits: manifest.limits,
      acceptsDamaged: manifest.acceptsDamaged,
      isStripped: source.policy.strips,
      allowsAudio: source.audioRefusal == nil,
      publishesRawPreview: manifest.rawUnderStrip == .previewOnly
    )
    var rules = [
      "\(BuildInfo.formatVersion)", source.captureMode?.rawValue ?? "",
      source.audioRefusal?.rawValue ?? "",
    ]
    if let word = source.media.conditionsWord { rules.append(word) }
    if let predicate = source.fetch.contentPredicate { rules.append(predicate.text) }
    if !source.fetch.includesHiddenAssets { rules.append("hidden") }
    if !source.fetch.includesAllBurstAssets { rules.append("bursts") }
    if source.fetch.needsContent, let declaration = manifest.sources[source.id],
      !declaration.tracks.isEmpty
    {
      rules.append("\(declaration.tracks.map(\.text)) \(declaration.maximumGap)")
    }
    if source.fetch.needsContent, let data = manifest.placeData { rules.append(data) }
    var hasher = SHA256()
    for rule in rules { hasher.update(Array("\(rule)\0".utf8)) }
    hasher.update(job.frame)
    return String(Hexadecimal.text(hasher.finalize()).prefix(32))
  }
}
