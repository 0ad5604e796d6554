internal import MediaDigest
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel

/// The texts of an Info.plist in other languages, which lie beside it.
extension LoadedManifest {
  private static var catalog: String { "InfoPlist.xcstrings" }

  /// SHA-256 of ``localizations`` in lines as sha256sum writes them; nil without one.
  package var localizationsSHA256: String? {
    if localizations.isEmpty { return nil }
    let lines = localizations.map { "\($0.sha256)  \($0.file)\n" }.joined()
    return Hexadecimal.text(SHA256.hash(Array(lines.utf8)))
  }

  /// Adds to an Info.plist what `InfoPlist.xcstrings` and the `InfoPlist.strings` of each language say beside it; `file`
  /// is its path as the manifest has it.
  ///
  /// - Throws: ``Mistakes`` of these files; for a folder or a file that lies in a source, of which nothing is listed or
  ///   opened then; and for more languages than there can be.
  mutating func localize(_ infoPlist: inout InfoPlist, beside file: String) throws(Mistakes) {
    let end = file.utf8.lastIndex(of: .slash).map { file.utf8.index(after: $0) } ?? file.startIndex
    let place = String(file[..<end])
    var texts: [UsageDescriptionKey: [LocalizedText]] = [:]
    for name in try languageFiles(beside: file, in: place)
    where FileSystem.exists(Self.join(folder, place + name)) {
      let isCatalog = name == Self.catalog
      let bytes = try readBeside(
        place + name,
        what: "file of localized texts",
        limit: isCatalog
          ? InfoPlistLanguages.maximumCatalogByteCount : InfoPlistLanguages.maximumStringsByteCount
      )
      localizations.append((name, Hexadecimal.text(SHA256.hash(bytes))))
      let languages =
        isCatalog
        ? InfoPlistLanguages(catalog: bytes)
        : InfoPlistLanguages(strings: bytes, in: try language(of: name, in: place))
      guard languages.issues.isEmpty else { throw Mistakes(languages.issues, in: place + name) }
      for (key, added) in languages.texts { texts[key, default: []] += added }
    }
    guard let (key, text) = infoPlist.add(texts).first else { return }
    throw Mistakes(
      .usageDescriptionsDiffer,
      "\(shown(file)): the files beside the Info.plist have several texts under \"\(key.rawValue)\" in "
        + "\(text.language ?? "Base"); leave one out or make them the same."
    )
  }

  /// What a message about a file beside an Info.plist begins with.
  private func shown(_ file: String) -> String {
    "\(EscapedText.printable(path)): \(EscapedText.printable(file))"
  }

  /// The names of the files that may be there, below the folder of an Info.plist, sorted.
  private func languageFiles(beside file: String, in place: String) throws(Mistakes) -> [String] {
    let name =
      "\(EscapedText.printable(path)): the folder of the Info.plist \"\(EscapedText.printable(file))\""
    var names = [Self.catalog]
    do {
      let listed = try closed().openFolder(place.isEmpty ? folder : Self.join(folder, place), name)
      try FileSystem.forEachEntry(of: listed) { (entry) throws(FileSystemError) in
        guard names.count <= LocalizedText.maximumCount + 1,
          let name = String(validating: entry.name, as: UTF8.self), name.hasSuffix(".lproj")
        else { return }
        names.append(name + "/InfoPlist.strings")
      }
    } catch let error as FileSystemError {
      throw Mistakes(
        .cannotRead,
        "\(name) cannot be listed, for its texts in other languages: \(FileSystemError.text(error.errno))."
      )
    } catch let error as Mistakes {
      throw error
    } catch {
      throw Mistakes(.cannotRead, "\(error)")
    }
    guard names.count <= LocalizedText.maximumCount + 1 else { throw tooManyLanguages }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The mistake of texts in more languages than a page takes.
  var tooManyLanguages: Mistakes {
    Mistakes(
      .outOfRange,
      "\(EscapedText.printable(path)): the Info.plist and what lies beside it are in more than "
        + "\(LocalizedText.maximumCount) languages."
    )
  }

  /// The language of a file such as `de.lproj/InfoPlist.strings`; nil for `Base`.
  private func language(of name: String, in place: String) throws(Mistakes) -> String? {
    let word = String(name.prefix { $0 != "/" }.dropLast(".lproj".count))
    if word == "Base" { return nil }
    if let tag = InfoPlistLanguages.language(named: word) { return tag }
    throw Mistakes(
      .invalidText,
      "\(shown(place + name)): \"\(EscapedText.printable(word))\" is no language. Call the folder by its tag, such as "
        + "de.lproj."
    )
  }
}
