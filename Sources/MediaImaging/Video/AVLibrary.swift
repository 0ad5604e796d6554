internal import CAV

/// FFmpeg's libraries, loaded at the first file that needs them.
///
/// Linked, they would cost each start of a worker 24 ms; loaded, only workers that meet a video or a
/// sound pay it, once.
///
/// Source: dlopen(3); libavformat, libavcodec, libswscale (FFmpeg 5.1).
final class AVLibrary: @unchecked Sendable {
  // Unchecked: a table of functions that nothing changes after it was filled.
  let pointer: OpaquePointer

  private init(_ pointer: OpaquePointer) { self.pointer = pointer }

  /// The installed one.
  static func shared() throws(ImagingError) -> AVLibrary { try loaded.get() }

  private static let loaded = Result { () throws(ImagingError) in try load() }

  /// Loads them from the folders that the dynamic loader searches.
  ///
  /// - Parameter suffix: Appended to each library's file name; a test names what is not there by it.
  /// - Returns: What is never unloaded.
  /// - Throws: `decoderMissing`, with the Debian package.
  static func load(suffix: String = "") throws(ImagingError) -> AVLibrary {
    var missing: UnsafePointer<CChar>?
    if let pointer = cav_library_load(suffix, &missing) { return AVLibrary(pointer) }
    throw ImagingError(.decoderMissing, missing.map { String(cString: $0) } ?? "libavformat")
  }
}
