internal import MediaModel

extension FailureAdvice {
  /// What a reason means, and what to do about it.
  struct Advice: Sendable {
    let reason: ItemReason
    /// The end of a sentence, without a full stop.
    let cause: String
    /// One sentence or more, for content of a format as far as that is known.
    let action: @Sendable (MediaFormat?) -> String
    /// Cause and action of the sources that have their own.
    let bySource: [SourceKind: (cause: String, action: String)]

    fileprivate init(
      _ reason: ItemReason,
      _ cause: String,
      _ action: String,
      at bySource: [SourceKind: (cause: String, action: String)] = [:]
    ) {
      (self.reason, self.cause, self.bySource) = (reason, cause, bySource)
      self.action = { _ in action }
    }

    fileprivate init(
      _ reason: ItemReason,
      _ cause: String,
      of action: @escaping @Sendable (MediaFormat?) -> String
    ) {
      (self.reason, self.cause, self.action) = (reason, cause, action)
      bySource = [:]
    }
  }

  /// The advice for each reason.
  static let table = Dictionary(rows.map { ($0.reason, $0) }, uniquingKeysWith: { first, _ in first })

  /// In the order of `ItemReason`.
  static let rows: [Advice] = [
    Advice(
      .thumbnailMissing,
      "no installed decoder for this format, or decoding exceeds the limits",
      """
      The next run makes them, or names a package to install or a limit to raise, if that helps.
      """
    ),
    Advice(
      .mediaTypeExcluded,
      "not part of the capture mode",
      """
      To import a video, set "capture": {"mode": "photoAndVideo"} for this source in the manifest; \
      it also completes live photos.
      """,
      at: [
        .library:
          (
            "the manifest does not ask for this media type",
            """
            To import it, add its type ("image", "video" or "audio") to "mediaTypes" under \
            "fetch" for this source in the manifest.
            """
          ),
        .microphone:
          (
            "a microphone has only sound",
            "To import it, put it in the folder of another source."
          ),
      ]
    ),
    Advice(
      .notFetched,
      "excluded by the fetch options of the source",
      """
      \(changeFetch); if it is hidden or shared, set "includeHiddenAssets": true there, or \
      "includePartnerSharing": true if a partner shares it.
      """
    ),
    Advice(
      .trashed,
      "in the trash of its source",
      "To import it, take it out of the trash there, and export it again."
    ),
    Advice(
      .notDownloaded,
      "only in the cloud, not in the source",
      "To import it, have its program download the original, then run again."
    ),
    Advice(
      .referenced,
      "the Photos library only refers to a file elsewhere",
      "To import it, choose \"Consolidate\" for it in Photos, or import the folder that it is in."
    ),
    Advice(
      .unlisted,
      "not in the database of the Photos library",
      "To import it, copy it elsewhere, or repair the library in Photos."
    ),
    Advice(
      .stillChanging,
      "something may still be writing",
      "A run imports it once nothing has changed for the time that --settle gives."
    ),
    Advice(
      .withdrawn,
      "withdrawn from the library by a person",
      "`mediabatch run MANIFEST --reprocess` imports all withdrawn files again."
    ),
    Advice(
      .notRegularFile,
      "not a regular file",
      "To import it, put a copy of the file itself in its place."
    ),
    Advice(
      .otherFileSystem,
      "on another file system, mounted there",
      "To import what is on it, set \"crossMounts\": true for this source in the manifest."
    ),
    Advice(
      .sidecar,
      "a sidecar, and the metadata of the source is stripped",
      """
      To publish sidecars beside their files, set "metadata": {"policy": "keep"} for this source \
      in the manifest.
      """
    ),
    Advice(.sidecarRead, "read for what it says about other files", "Nothing needs to be done."),
    Advice(
      .sidecarOrphaned,
      "a sidecar without a file of its name beside it",
      """
      To have it read, put it beside the photo or video that it describes; with a Google Takeout, add \
      the part of the export that has that file.
      """
    ),
    Advice(
      .sidecarAmbiguous,
      "a sidecar whose name fits several files",
      "To have it read, name it after one of them with that file's extension, as in IMG_1.JPG.xmp."
    ),
    Advice(
      .sidecarUnused,
      "a sidecar of a file that was not imported with it",
      "See why that file was left out, or which file it duplicates."
    ),
    Advice(
      .hardLinked,
      "a second hard link, which may be a file that this run may not read",
      "To import it, copy it, or set \"hardLinks\": \"allow\" for this source in the manifest."
    ),
    Advice(
      .otherSource,
      "a mount there shows a folder of another source, or appeared during the run",
      "To import what is there, import that source, or run again without the mount."
    ),
    Advice(
      .microphoneRefused,
      "the sound needs the microphone, which is refused",
      "To import it, authorize the microphone in the manifest."
    ),
    Advice(
      .unknownFormat,
      "not a format that mediabatch knows",
      """
      If it is media, export it in a format that is known, such as JPEG, MP4 or FLAC; if not, \
      name it under "ignore" for this source in the manifest.
      """
    ),
    Advice(
      .contentUnknown,
      "named like a photo, video or sound, but the content is none that mediabatch knows",
      """
      Copy it from its device again before you erase that; if it is something else, name \
      it under "ignore" for this source in the manifest.
      """
    ),
    Advice(
      .stripUnsupported,
      "metadata cannot be stripped safely",
      of: { format in
        """
        \(export(format)), or, if its metadata may be published, set "metadata": {"policy": \
        "keep"} for this source in the manifest.
        """
      }
    ),
    Advice(
      .damaged,
      "damaged",
      of: { format in
        // Only of a picture something may be left.
        guard format?.mediaType ?? .image == .image else { return copyAgain + "." }
        return """
          \(copyAgain); else "acceptDamaged": true at the top of the manifest imports what is left, \
          under the policy keep.
          """
      }
    ),
    Advice(
      .overLimit,
      "larger than the limits allow",
      of: { format in
        "Export it with \(lessOf(format)), or raise the number under \"limits\" in the manifest."
      }
    ),
    Advice(
      .decoderMissing,
      "no installed decoder for this format",
      """
      Install the package that is named, if one is, or leave "thumbnails" out of the manifest; \
      then run again. `mediabatch doctor` lists the decoders.
      """
    ),
    Advice(.changedDuringRun, "changed while it was read", "Run again when no program writes to it."),
    Advice(.notAsPlanned, "not the file that the plan names", "Put the planned file back, or plan again."),
    Advice(
      .identifierNotFound,
      "selected, but not in the source",
      "Correct \"selection\" for this source in the manifest."
    ),
    Advice(
      .originalMissing,
      "missing, although the Photos database lists it",
      """
      If it is in iCloud, set Photos to download originals to that Mac, then copy the library again; else \
      repair the library in Photos.
      """
    ),
    Advice(
      .cannotOpen,
      "could not be opened",
      "Check that the user of this run may read it, then run again."
    ),
    Advice(
      .outOfSpace,
      "no room left on the library's file system",
      "Make room there, then run again: it resumes."
    ),
    Advice(.cannotRead, "could not be read to the end", "Check the device that it is on, then run again."),
    Advice(
      .deadline,
      "reading took longer than the length allows, twice",
      "If you trust where it comes from, raise \"seconds\" under \"limits\" in the manifest."
    ),
    Advice(
      .workerCrashed,
      "the worker process crashed twice on reading",
      "Export it again, and report this, with the file if you can share it."
    ),
    Advice(
      .workerProtocol,
      "the worker process gave an answer that is not allowed",
      "Treat the file as hostile; if you trust where it comes from, export it again."
    ),
  ]

  /// Cause and action of a missing thumbnail, by the code of what the decoder said.
  static let undecoded: [String: (cause: String, action: String)] = [
    "decoderMissing": (
      "its decoder is not installed", "Install the package that is named. The next run makes them."
    ),
    "damaged": ("damaged", copyAgain + "."),
    "unsupported": ("mediabatch has no decoder for it", "The file itself is in the library."),
    "overLimit": (
      "decoding exceeds the limits",
      "Raise \"limits\" in the manifest, or ask for smaller thumbnails there. The next run makes them."
    ),
  ]

  /// Cause and action where the manifest has set already what the advice would name; nil where it has not.
  static func whereSet(
    _ reason: ItemReason,
    _ source: SourceID,
    _ settings: AdvisedSettings,
    cause: String
  ) -> (cause: String, action: String)? {
    switch reason {
    case .damaged where settings.acceptsDamaged: (cause, copyAgain + ".")
    case .mediaTypeExcluded where settings.videoSources.contains(source):
      ("a camera has no sound files", "To import it, put it in the folder of another source.")
    case .notFetched where settings.filteredSources?.contains(source) == false:
      settings.hiddenSources.contains(source)
        ? shared : hidden(isPhotosLibrary: settings.photosLibraries.contains(source))
    case .notFetched where settings.hiddenSources.contains(source): (cause, changeFetch + ".")
    case .notFetched where settings.photosLibraries.contains(source):
      (cause, changeFetch + "; if it is hidden or shared, set \"includeHiddenAssets\": true there.")
    case .microphoneRefused where settings.authorizesMicrophone:
      (
        cause,
        "The manifest allows the microphone, but a policy or a person does not: `mediabatch check` says which, "
          + "and how to change it."
      )
    default: nil
    }
  }

  /// What a source without a filter has left out, if hidden assets are imported, and if not.
  private static let shared = (
    cause: "shared by somebody else",
    action:
      "To import it, set \"includePartnerSharing\": true under \"fetch\" for this source in the manifest."
  )
  private static func hidden(isPhotosLibrary: Bool) -> (cause: String, action: String) {
    (
      "hidden, or shared by somebody else",
      "To import it, set \"includeHiddenAssets\": true under \"fetch\" for this source in the manifest"
        + (isPhotosLibrary ? "." : ", or \"includePartnerSharing\": true if a partner shares it.")
    )
  }

  private static let changeFetch =
    "To import it, change \"predicate\" or \"fetchLimit\" under \"fetch\" for this source in the manifest"

  static let copyAgain = "Copy it from its device again, or export it again"

  /// Says how to export media of a format that cannot be stripped as one that can.
  private static func export(_ format: MediaFormat?) -> String {
    guard let format else {
      return "Export it in a format that can be stripped, such as JPEG, MP4 or FLAC"
    }
    if format.isRaw { return "Develop it and export that as JPEG or PNG" }
    return switch format.mediaType {
    case .image: "Export it as JPEG or PNG"
    case .video: "Export it as MP4 with H.264 and AAC"
    case .audio: "Export it as FLAC, MP3 or WAV"
    }
  }

  /// Says what an export should have less of, so that it is within the limits.
  private static func lessOf(_ format: MediaFormat?) -> String {
    format?.mediaType == .audio ? "less metadata or in parts" : "fewer pixels or less metadata"
  }
}
