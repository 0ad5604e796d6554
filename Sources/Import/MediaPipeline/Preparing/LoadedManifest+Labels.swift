internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaSources

extension LoadedManifest {
  /// Names an item: by its number if labels are neutral, otherwise from the labels file, then the
  /// template, then its own name.
  ///
  /// - Parameters:
  ///   - path: The item's path within its source.
  ///   - source: The item's source.
  ///   - number: Which item of the run it is, 1-based.
  ///   - creationDate: Nil where the file does not tell it.
  ///   - originalName: The name that it had elsewhere, without its extension; nil for that of its path.
  /// - Returns: The label, safe as a file's name.
  func label(
    of path: ItemPath,
    in source: SourceID,
    number: Int,
    creationDate: CaptureDate?,
    originalName: String? = nil
  ) -> Label {
    if manifest.labels.neutral { return Label(String(number)) }
    if let label = labels[source]?[path] { return Label(label) }
    let name = EscapedText.name(originalName.map { Array($0.utf8)[...] } ?? path.stem)
    guard let template = manifest.labels.template else { return Label(name) }
    return Label(
      template.render(originalName: name, creationDate: creationDate, source: source.kind, number: number)
    )
  }

  /// Returns the rules for the dates of a source.
  func dateRules(of source: SourceID) -> DateRules {
    var rules = manifest.dates
    rules.timeZone = timeZones[source]
    return rules
  }

  /// The name of the time zone of a source, for the log; nil where its dates are not read.
  func nameOfTimeZone(of source: SourceID) -> String? {
    guard wantsDescription(under: manifest.metadataPolicy(of: source)) else { return nil }
    return timeZones[source]?.name
  }

  /// Whether workers are asked for what the files of a source say besides what showing them needs: no
  /// more is read than is stored, is in labels, or files what is added to the photo library.
  func wantsDescription(under policy: MetadataPolicy) -> Bool {
    policy == .keep || manifest.storesPrivateFacts || manifest.addsToPhotoLibrary
      || manifest.labels.template?.publishesCreationDate == true
  }

  /// Whether the label of an item is known before its file is read.
  func knowsLabel(of path: ItemPath, in source: SourceID) -> Bool {
    manifest.labels.neutral || labels[source]?[path] != nil
      || manifest.labels.template?.publishesCreationDate != true
  }
}
