package import MediaModel

/// Messages for a person about items that were not imported, or were imported without thumbnails.
package enum FailureAdvice {
  /// Says what happened, to which file, and what to do, in one line that is already escaped.
  ///
  ///     "beach.jpg" (camera) was not imported: it is damaged (its EXIF block ends early).
  ///     Re-export it, or copy it from the camera again.
  ///
  /// (On one line.) `format` is that of the content, as far as it is known: a film is not exported as
  /// a picture. `detail` adds to the cause, in a worker's or a library's own words, at most 200
  /// characters of it; the values of metadata never belong there.
  package static func message(
    reason: ItemReason,
    path: ItemPath,
    source: SourceKind,
    format: MediaFormat? = nil,
    detail: String = ""
  ) -> String {
    let advice = advice(reason, source, format)
    var cause = advice.cause
    let words = words(detail, reason: reason)
    if !words.isEmpty { cause += " (\(words))" }
    return "\"\(ReportText.path(path.bytes))\" (\(source.displayName)) was \(ending(reason)): "
      + "\(cause). \(advice.action)"
  }

  /// Says of the items of one group how many they are, why they were left out, and what to do.
  package static func message(_ group: RunReport.LeftOut) -> String {
    message(of: group.count, reason: group.reason, source: group.source, format: nil)
  }

  /// Says of so many items why they were not imported, and what to do.
  static func message(
    of count: Int,
    reason: ItemReason,
    source: SourceKind,
    format: MediaFormat?
  ) -> String {
    let advice = advice(reason, source, format)
    return Quantity.text(count, "file") + " \(ending(reason)) (\(source.displayName))"
      + (count == 1 ? "" : ", each") + " because \(advice.cause). \(advice.action)"
  }

  /// The remedy for an item.
  static func remedy(_ reason: ItemReason, _ source: SourceKind, _ format: MediaFormat?) -> String {
    advice(reason, source, format).action
  }

  /// The words of a worker or a library about a cause, escaped and at most 200 characters, without the
  /// reason's own word in front, which the cause says already, and without a full stop.
  static func words(_ detail: String, reason: ItemReason) -> String {
    var words = ReportText.line(detail, limit: 200)
    if words.hasPrefix(reason.rawValue + ": ") {
      words.removeFirst(reason.rawValue.utf8.count + 2)
    }
    while words.last == "." || words.last == " " { words.removeLast() }
    return words
  }

  /// Says of no file in particular what a reason means.
  static func sentence(_ reason: ItemReason) -> String {
    "A file was \(ending(reason)) because \(advice(reason, .camera, nil).cause)."
  }

  /// The end of an item, as a participle.
  private static func ending(_ reason: ItemReason) -> String {
    switch reason.outcome {
    case .imported: "imported without thumbnails"
    case .skipped: "left out"
    case .refused: "refused"
    default: "not imported"
    }
  }

  private static func advice(
    _ reason: ItemReason,
    _ source: SourceKind,
    _ format: MediaFormat?
  ) -> (cause: String, action: String) {
    switch reason {
    case .mediaTypeExcluded:
      switch source {
      case .camera:
        (
          "the capture mode does not ask for it",
          "To import it, choose another \"mode\" under \"capture\" for this source in the manifest."
        )
      case .library:
        (
          "the manifest does not ask for its media type",
          "To import it, add its type to \"mediaTypes\" under \"fetch\" for this source in the manifest."
        )
      case .microphone:
        ("it is not sound", "To import it, put it in the folder of another source.")
      }
    case .notFetched:
      (
        "the fetch options of its source leave it out",
        "To import it, change \"predicate\" or \"fetchLimit\" under \"fetch\" for this source in the "
          + "manifest; if it is hidden or shared, set \"includeHiddenAssets\": true there."
      )
    case .referenced, .unlisted: knownToSource(reason)
    case .sidecar:
      (
        "it is a sidecar, and the metadata of its source is stripped",
        "To publish sidecars beside their files, set \"metadata\": {\"policy\": \"keep\"} for this source "
          + "in the manifest."
      )
    case .sidecarRead:
      (
        "it describes other files, and what it says was taken from it", "Nothing has to be done."
      )
    case .trashed:
      (
        "its source has it in the trash",
        "To import it, take it out of the trash there, and export it again."
      )
    case .notDownloaded:
      (
        "it is only in a cloud, and its source does not have it",
        "To import it, have its program download the original, then run again."
      )
    case .sidecarOrphaned:
      (
        "it is a sidecar, and no file in its folder has its name",
        "To have it read, put it beside the photo or video that it describes; of a Google Takeout, add the "
          + "part of the export that has that."
      )
    case .sidecarAmbiguous:
      (
        "it is a sidecar, and its name fits several files",
        "To have it read, name it after one of them with that file's extension, as in IMG_1.JPG.xmp."
      )
    case .sidecarUnused:
      (
        "it is a sidecar of a file that was not published with it",
        "See why that file was not imported, or is a duplicate of another one."
      )
    case .stillChanging:
      (
        "it may still be written",
        "It is imported by the first run after it has not changed for the time that --settle names."
      )
    case .withdrawn:
      (
        "a person has withdrawn it from the library",
        "`mediabatch run --reprocess` imports it again."
      )
    case .notRegularFile:
      (
        "it is not a regular file", "To import it, put a copy of the file itself in its place."
      )
    case .otherFileSystem:
      (
        "another file system is mounted there",
        "To import what is on it, set \"crossMounts\": true for this source in the manifest."
      )
    case .hardLinked:
      (
        "it has a second hard link, which may belong to a source that is refused",
        "To import it, copy it, or set \"hardLinks\": \"allow\" for this source in the manifest."
      )
    case .otherSource:
      (
        "a mount there shows a folder of another source, or appeared during the run",
        "To import what is there, import that source, or run again without the mount."
      )
    case .outOfSpace:
      (
        "the library's file system has no room for it",
        "Make room there, then run again: it resumes."
      )
    case .microphoneRefused:
      (
        "its sound needs the microphone, which is refused",
        "To import it, authorize the microphone in the manifest."
      )
    case .unknownFormat:
      (
        "its content is no format that mediabatch knows",
        "If it is media, export it in a format that is known, such as JPEG, MP4 or FLAC; if not, name it "
          + "under \"ignore\" for this source in the manifest."
      )
    case .stripUnsupported:
      (
        "metadata cannot be stripped from its format yet",
        "\(export(format)), or, if its metadata may be published, set \"metadata\": "
          + "{\"policy\": \"keep\"} for this source in the manifest."
      )
    case .overLimit:
      (
        "it is larger than the limits allow",
        "Export it with \(lessOf(format)), or raise the number under \"limits\" in the manifest."
      )
    default: failure(reason)
    }
  }

  /// Says why a source that knows more of its files than they do leaves one out.
  private static func knownToSource(_ reason: ItemReason) -> (cause: String, action: String) {
    switch reason {
    case .referenced:
      (
        "the Photos library only refers to it, and the file lies elsewhere",
        "To import it, choose \"Consolidate\" for it in Photos, or import the folder that it is in."
      )
    default:
      (
        "it lies in the Photos library, whose database does not name it",
        "To import it, copy it elsewhere, or repair the library in Photos."
      )
    }
  }

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

  private static func failure(_ reason: ItemReason) -> (cause: String, action: String) {
    switch reason {
    case .contentUnknown:
      (
        "its name is that of a photo, a video or a sound, and its content is no format that "
          + "mediabatch knows",
        "Copy it from its device again before that is erased; if it is something else, name it under "
          + "\"ignore\" for this source in the manifest."
      )
    case .damaged:
      (
        "it is damaged",
        "Copy it from its device again, or re-export it; without another copy, "
          + "\"acceptDamaged\": true imports what is there under keep."
      )
    case .decoderMissing:
      (
        "nothing that is installed decodes it",
        "Install the package that is named, if one is, or leave \"thumbnails\" out of the manifest; "
          + "then run again. \"mediabatch doctor\" lists the decoders."
      )
    case .thumbnailMissing:
      (
        "nothing that is installed decodes it, or decoding it takes more than the limits allow",
        "Install the package that is named, if one is; else raise the number under \"limits\" in the "
          + "manifest, or ask for smaller thumbnails there. Then run again: it makes them."
      )
    case .changedDuringRun:
      ("it changed while it was read", "Run again when nothing writes to it.")
    case .notAsPlanned:
      (
        "it is not the file that the plan has",
        "Bring the file back that was there, or plan again."
      )
    case .identifierNotFound:
      (
        "the selection names it, but the source has no such file",
        "Correct \"selection\" for this source in the manifest."
      )
    case .originalMissing:
      (
        "the database of the Photos library says that it is there, and it is not",
        "Copy the library again; if it is missing there too, repair the library in Photos."
      )
    case .cannotOpen:
      ("it could not be opened", "Check that the user of this run may read it, then run again.")
    case .cannotRead:
      ("it could not be read to its end", "Check the device that it is on, then run again.")
    case .deadline:
      (
        "reading it took longer than its length allows, twice",
        "Raise \"limits\": {\"seconds\"} in the manifest if you trust where it comes from."
      )
    case .workerCrashed:
      (
        "the worker that read it ended early, twice",
        "Re-export it, and report it together with the file if you can share it."
      )
    case .workerProtocol:
      (
        "the worker that read it answered something that is not allowed",
        "Treat the file as hostile; re-export it if you trust where it comes from."
      )
    default:
      ("it could not be imported", "Run again.")
    }
  }
}
