package import MediaModel
package import MediaSyntax

/// An item of a run for a program, as `mediabatch run --events` prints it: one JSON object a line.
///
///     {"bytes":4100,"label":"Harbour","library":"/srv/Library","localIdentifier":"0b7e…","outcome":"imported",
///      "path":"Originals/2026-11-21/014439.301225/Harbour.jpg","source":"camera","sourcePath":"100/IMG_0001.JPG",…}
///
/// (A real line has no breaks.) Described by `Manifests/events.schema.json`.
package enum ItemEventJSON {
  /// The name and version of the shape.
  package static let schema = "mediabatch.item/1"

  /// The event in the shape of `mediabatch.item/1`, with the run that tells it and the library's folder,
  /// resolved; what an item does not have is null.
  ///
  /// Paths below the library are as they are, so that they can be opened; the path in the source is
  /// percent-escaped where a byte is not printable.
  package static func object(_ event: ItemEvent, run: String, library: String) -> JSONValue {
    [
      "schema": .string(schema),
      "run": .string(run),
      "library": .string(library),
      "source": .string(event.source.rawValue),
      "sourcePath": .string(event.sourcePath.text),
      "outcome": .string(event.outcome.rawValue),
      "reason": JSONValue(event.reason?.rawValue),
      "step": JSONValue(event.step?.rawValue),
      "message": JSONValue(message(event)),
      "localIdentifier": JSONValue(event.localIdentifier),
      "label": JSONValue(event.label),
      "role": JSONValue(event.role?.rawValue),
      "path": JSONValue(event.path),
      "bytes": event.bytes.map { .integer($0) } ?? .null,
      "sha256": JSONValue(event.sha256),
      "thumbnails": .array(event.thumbnails.map(thumbnail)),
      "degraded": .bool(event.degraded),
      "restored": JSONValue(event.restoredPath),
      "olderVersion": JSONValue(event.olderVersion),
      "replaces": JSONValue(event.replaces?.rawValue),
      "recovered": .bool(event.recovered),
    ]
  }

  private static func message(_ event: ItemEvent) -> String? {
    guard let reason = event.reason else { return nil }
    return FailureAdvice.message(
      reason: reason,
      path: event.sourcePath,
      source: event.source,
      format: event.failedFormat,
      detail: event.detail
    )
  }

  private static func thumbnail(_ thumbnail: ItemEvent.Thumbnail) -> JSONValue {
    [
      "name": .string(thumbnail.name), "path": .string(thumbnail.path),
      "width": JSONValue(thumbnail.size.width), "height": JSONValue(thumbnail.size.height),
      "bytes": .integer(thumbnail.bytes), "sha256": .string(thumbnail.sha256),
    ]
  }
}
