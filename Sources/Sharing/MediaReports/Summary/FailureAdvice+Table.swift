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
      "nothing that is installed decodes it, or decoding it takes more than the limits allow",
      """
      Install the package that is named, if one is; else raise the number under "limits" in the \
      manifest, or ask for smaller thumbnails there. Then run again: it makes them.
      """
    ),
    Advice(
      .mediaTypeExcluded,
      "the capture mode does not ask for it",
      """
      To import a video, set "capture": {"mode": "photoAndVideo"} for this source in the manifest; \
      live photos are whole then too.
      """,
      at: [
        .library:
          (
            "the manifest does not ask for its media type",
            """
            To import it, add its type ("image", "video" or "audio") to "mediaTypes" under \
            "fetch" for this source in the manifest.
            """
          ),
        .microphone:
          (
            "it is not sound",
            "To import it, put it in the folder of another source."
          ),
      ]
    ),
    Advice(
      .notFetched,
      "the fetch options of its source leave it out",
      """
      \(changeFetch); if it is hidden or shared, set "includeHiddenAssets": true there, or \
      "includePartnerSharing" if a partner shares it.
      """
    ),
    Advice(
      .trashed,
      "its source has it in the trash",
      "To import it, take it out of the trash there, and export it again."
    ),
    Advice(
      .notDownloaded,
      "it is only in a cloud, and its source does not have it",
      "To import it, have its program download the original, then run again."
    ),
    Advice(
      .referenced,
      "the Photos library only refers to it, and the file lies elsewhere",
      "To import it, choose \"Consolidate\" for it in Photos, or import the folder that it is in."
    ),
    Advice(
      .unlisted,
      "it lies in the Photos library, whose database does not name it",
      "To import it, copy it elsewhere, or repair the library in Photos."
    ),
    Advice(
      .stillChanging,
      "it may still be written",
      "It is imported by the first run after it has not changed for the time that --settle names."
    ),
    Advice(
      .withdrawn,
      "a person has withdrawn it from the library",
      "`mediabatch run MANIFEST --reprocess` imports all again that were withdrawn."
    ),
    Advice(
      .notRegularFile,
      "it is not a regular file",
      "To import it, put a copy of the file itself in its place."
    ),
    Advice(
      .otherFileSystem,
      "another file system is mounted there",
      "To import what is on it, set \"crossMounts\": true for this source in the manifest."
    ),
    Advice(
      .sidecar,
      "it is a sidecar, and the metadata of its source is stripped",
      """
      To publish sidecars beside their files, set "metadata": {"policy": "keep"} for this source \
      in the manifest.
      """
    ),
    Advice(
      .sidecarRead,
      "it describes other files, and what it says was taken from it",
      "Nothing has to be done."
    ),
    Advice(
      .sidecarOrphaned,
      "it is a sidecar, and no file in its folder has its name",
      """
      To have it read, put it beside the photo or video that it describes; of a Google Takeout, \
      add the part of the export that has that.
      """
    ),
    Advice(
      .sidecarAmbiguous,
      "it is a sidecar, and its name fits several files",
      "To have it read, name it after one of them with that file's extension, as in IMG_1.JPG.xmp."
    ),
    Advice(
      .sidecarUnused,
      "it is a sidecar of a file that was not published with it",
      "See why that file was not imported, or is a duplicate of another one."
    ),
    Advice(
      .hardLinked,
      "it has a second hard link, which may be a file that this run may not read",
      "To import it, copy it, or set \"hardLinks\": \"allow\" for this source in the manifest."
    ),
    Advice(
      .otherSource,
      "a mount there shows a folder of another source, or appeared during the run",
      "To import what is there, import that source, or run again without the mount."
    ),
    Advice(
      .microphoneRefused,
      "its sound needs the microphone, which is refused",
      "To import it, authorize the microphone in the manifest."
    ),
    Advice(
      .unknownFormat,
      "its content is no format that mediabatch knows",
      """
      If it is media, export it in a format that is known, such as JPEG, MP4 or FLAC; if not, \
      name it under "ignore" for this source in the manifest.
      """
    ),
    Advice(
      .contentUnknown,
      """
      its name is that of a photo, a video or a sound, and its content is no format that \
      mediabatch knows
      """,
      """
      Copy it from its device again before that is erased; if it is something else, name it \
      under "ignore" for this source in the manifest.
      """
    ),
    Advice(
      .stripUnsupported,
      "metadata cannot be stripped from its format yet",
      of: { format in
        """
        \(export(format)), or, if its metadata may be published, set "metadata": {"policy": \
        "keep"} for this source in the manifest.
        """
      }
    ),
    Advice(
      .damaged,
      "it is damaged",
      """
      \(copyAgain); without another copy, "acceptDamaged": true imports what is there under keep.
      """
    ),
    Advice(
      .overLimit,
      "it is larger than the limits allow",
      of: { format in
        "Export it with \(lessOf(format)), or raise the number under \"limits\" in the manifest."
      }
    ),
    Advice(
      .decoderMissing,
      "nothing that is installed decodes it",
      """
      Install the package that is named, if one is, or leave "thumbnails" out of the manifest; \
      then run again. `mediabatch doctor` lists the decoders.
      """
    ),
    Advice(.changedDuringRun, "it changed while it was read", "Run again when nothing writes to it."),
    Advice(
      .notAsPlanned,
      "it is not the file that the plan has",
      "Bring the file back that was there, or plan again."
    ),
    Advice(
      .identifierNotFound,
      "the selection names it, but the source has no such file",
      "Correct \"selection\" for this source in the manifest."
    ),
    Advice(
      .originalMissing,
      "the database of the Photos library says that it is there, and it is not",
      "Copy the library again; if it is missing there too, repair the library in Photos."
    ),
    Advice(
      .cannotOpen,
      "it could not be opened",
      "Check that the user of this run may read it, then run again."
    ),
    Advice(
      .outOfSpace,
      "the library's file system has no room for it",
      "Make room there, then run again: it resumes."
    ),
    Advice(
      .cannotRead,
      "it could not be read to its end",
      "Check the device that it is on, then run again."
    ),
    Advice(
      .deadline,
      "reading it took longer than its length allows, twice",
      "Raise \"limits\": {\"seconds\"} in the manifest if you trust where it comes from."
    ),
    Advice(
      .workerCrashed,
      "the worker that read it ended early, twice",
      "Re-export it, and report it together with the file if you can share it."
    ),
    Advice(
      .workerProtocol,
      "the worker that read it answered something that is not allowed",
      "Treat the file as hostile; re-export it if you trust where it comes from."
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
      ("a camera has no files of sound alone", "To import it, put it in the folder of another source.")
    case .notFetched where settings.hiddenSources.contains(source): (cause, changeFetch + ".")
    case .microphoneRefused where settings.authorizesMicrophone:
      (
        cause,
        "The manifest authorizes the microphone, and a policy or a person does not: `mediabatch check` says "
          + "which, and how to change it."
      )
    default: nil
    }
  }

  private static let changeFetch =
    "To import it, change \"predicate\" or \"fetchLimit\" under \"fetch\" for this source in the manifest"

  static let copyAgain = "Copy it from its device again, or re-export it"

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
