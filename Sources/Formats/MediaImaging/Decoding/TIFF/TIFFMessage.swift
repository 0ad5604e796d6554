/// A message of libtiff, classified by its module, the constant name of the function that sent it:
/// libtiff has no numbers for its messages, and their texts may quote a file's tags.
///
/// Source: tif_fax3.c, tif_jpeg.c, tif_ojpeg.c, tif_dir.c, tif_dirread.c (libtiff 4.5).
struct TIFFMessage {
  var module: String
  var text: String
  var isError: Bool

  /// Whether pixels are missing or wrong.
  ///
  /// Errors of the functions that set tags concern a tag that libtiff then does not use: it opens no
  /// page without the tags that it needs. Most warnings of decoders concern the writer's habits.
  var isDamage: Bool {
    if isError { return !Self.tagModules.contains(module) }
    if Self.jpegModules.contains(module) { return JPEGWarning.of(text)?.meaning == .missing }
    // A decoder of faxes continues without the missing pixels.
    return module.hasPrefix("Fax") && text.hasPrefix("Premature")
  }

  private static let tagModules: Set<String> = ["_TIFFVSetField", "TIFFFetchNormalTag"]
  /// Their warnings are libjpeg's own.
  private static let jpegModules: Set<String> = ["JPEGLib", "LibJpeg"]
}
