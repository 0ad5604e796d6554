internal import Crypto
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaWorkerProtocol

/// All that a failure that cannot change by itself depends on besides the file: while it is the same, the
/// file fails again.
enum FailureConditions {
  /// A digest of the job that a worker gets for a file of this source, of the rules that leave items out
  /// after it, and of the number of what the program knows of formats: 32 hexadecimal digits.
  static func digest(of source: PlannedSource, in manifest: Manifest) -> String {
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
    if let predicate = source.fetch.contentPredicate { rules.append(predicate.text) }
    if !source.fetch.includesHiddenAssets { rules.append("hidden") }
    if !source.fetch.includesAllBurstAssets { rules.append("bursts") }
    var hasher = SHA256()
    for rule in rules { hasher.update(data: Array("\(rule)\0".utf8)) }
    hasher.update(data: job.frame)
    return String(Hexadecimal.text(hasher.finalize()).prefix(32))
  }
}
