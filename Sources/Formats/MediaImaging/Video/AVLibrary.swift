internal import CAV

/// FFmpeg's libraries, loaded for the first file that needs them.
///
/// Linked, they would add 24 ms to each start of a worker; loaded, only workers that decode video
/// or audio pay this cost, once.
///
/// Source: dlopen(3); libavformat, libavcodec, libswscale (FFmpeg 5.1).
final class AVLibrary: @unchecked Sendable {
  // Unchecked: a table of functions that is immutable after it was filled.
  let pointer: OpaquePointer

  private init(_ pointer: OpaquePointer) { self.pointer = pointer }

  /// Returns the installed libraries.
  static func shared() throws(ImagingError) -> AVLibrary { try loaded.get() }

  private static let loaded = Result { () throws(ImagingError) in try load() }

  /// Loads the libraries from the folders that the dynamic loader searches.
  ///
  /// - Parameter suffix: A suffix of each library's file name, with which a test names missing
  ///   files.
  /// - Returns: The libraries, which are never unloaded.
  /// - Throws: `decoderMissing`, with the Debian package.
  static func load(suffix: String = "") throws(ImagingError) -> AVLibrary {
    var missing: UnsafePointer<CChar>?
    if let pointer = cav_library_load(suffix, &missing) { return AVLibrary(pointer) }
    throw ImagingError(.decoderMissing, missing.map { String(cString: $0) } ?? "libavformat")
  }
}
