internal import Glibc
internal import MediaFileSystem
internal import MediaManifest
package import MediaModel
internal import MediaPermissions
internal import MediaSyntax

/// A manifest for one folder, as `mediabatch init` writes it.
package struct NewManifest: Sendable {
  /// The folder, absolute.
  package let folder: [UInt8]
  package let survey: FolderSurvey
  package var source: SourceKind
  /// The name of the source; nil where it is called by its kind's word.
  package private(set) var name: String?
  /// The metadata policy that the manifest states, `keep` or `strip`; see ``proposedPolicy``.
  package var policy = "strip"
  /// The side of the box of a small thumbnail, for pages of many, in pixels; 0 for none.
  package var thumbnailSide = 256
  /// The side of the box of a large thumbnail, for a gallery's viewer, in pixels; 0 for none.
  package var largeThumbnailSide = 1600
  /// The usage description: why the media are imported; nil for ``proposedReason``.
  package var reason: String?
  /// The client's identifier: as far as nobody says another, that which names the folder.
  package var client: String
  /// The client's name, as a person who is asked reads it.
  package var clientName: String
  /// Whether the published files have numbers in place of names.
  package var hasNeutralLabels = false
  /// Whether the manifest leaves it to a person to allow the sources, and states no status.
  package var asks = false
  /// The manifest's own path, absolute.
  package var path: [UInt8]
  /// The library's path, absolute.
  package var library: [UInt8]

  /// A mistake that keeps a manifest from being written.
  package struct Refusal: Error, Sendable {
    package var code: RunExitCode
    package var lines: [String]

    package init(code: RunExitCode, lines: [String]) {
      self.code = code
      self.lines = lines
    }
  }

  /// Looks at a folder, and proposes a manifest for it in the current folder.
  ///
  /// Neither manifest nor library can lie in a source; if the current folder does, both are
  /// proposed beside the source.
  ///
  /// - Throws: ``Refusal`` when there is no such folder, or its name cannot stand in a manifest.
  package init(folder argument: [UInt8]) throws(Refusal) {
    let input = EscapedText.percentEscaped(argument)
    guard let folder = FileSystem.resolved(argument),
      let workingFolder = FileSystem.resolved([UInt8.dot])
    else {
      throw Refusal(
        code: .sourceUnavailable,
        lines: ["There is no folder \"\(input)\". Name that of the media: mediabatch init FOLDER"]
      )
    }
    guard String(validating: folder, as: UTF8.self) != nil, folder.count > 1 else {
      throw Refusal(
        code: .usage,
        lines: [
          "\"\(input)\" cannot stand in a manifest, which is UTF-8, or is all of this machine's files. "
            + "Name another folder."
        ]
      )
    }
    let status = try? FileSystem.status(ofPath: folder)
    if let status, status.kind != .folder {
      throw Refusal(code: .sourceUnavailable, lines: [Self.hint(atFile: folder, input)])
    }
    do {
      survey = try FolderSurvey(folder)
    } catch {
      throw Refusal(
        code: .sourceUnavailable,
        lines: ["\"\(input)\" cannot be listed: \(error.reason(besides: input))."]
      )
    }
    self.folder = folder
    source = survey.isMemoryCard && survey.kind == nil ? .camera : .library
    if survey.media.keys.contains(.audio), survey.media.count == 1 { source = .microphone }
    client =
      FolderIdentity(path: folder, device: status?.device ?? 0, inode: status?.inode ?? 0).clientIdentifier
    let name = Self.lastName(folder)
    let isShown = !UsageDescription.text(name).isBlank
    clientName = isShown ? String(String.UnicodeScalarView(name.unicodeScalars.prefix(255))) : client
    if workingFolder == folder || workingFolder.starts(with: folder + [UInt8.slash]) {
      path = folder + Array(".json".utf8)
      library = folder + Array("-library".utf8)
    } else {
      path = workingFolder + Array("/manifest.json".utf8)
      library = workingFolder + Array("/Library".utf8)
    }
  }

  /// What to name in the place of a file.
  private static func hint(atFile file: [UInt8], _ input: String) -> String {
    let name = String(decoding: file, as: UTF8.self).lowercased()
    if ArchiveFormat(ofName: file[...]) != nil {
      return """
        "\(input)" is a file. A Takeout's zip and .tgz files are read packed: name the folder that has \
        all of them and nothing else, mediabatch init FOLDER
        """
    }
    if [".tar", ".7z", ".rar"].contains(where: name.hasSuffix) {
      return """
        "\(input)" is an archive of a kind that is not read. Unpack it into a folder of its own, and \
        name that: mediabatch init FOLDER
        """
    }
    return "\"\(input)\" is no folder. Name that of the media: mediabatch init FOLDER"
  }

  /// The policy that is proposed to a person who reads what it means: `keep` for one's own photos, `strip` for copies
  /// that others get, which numbers in place of names, and a choice that is left to somebody else, tell.
  package var proposedPolicy: String { asks || hasNeutralLabels ? "strip" : "keep" }

  /// The usage description that is proposed: what is imported, and into which library.
  package var proposedReason: String {
    let what = survey.maker.map { "the " + $0.drop { $0 != " " }.dropFirst() }
    let media = source == .microphone ? "the sound of" : "the photos of"
    return "Import \(what ?? media) “\(Self.lastName(folder))” into “\(Self.lastName(library))”."
  }

  /// The last name of a path for a person.
  private static func lastName(_ path: [UInt8]) -> String {
    EscapedText.percentEscaped(path[((path.lastIndex(of: UInt8.slash) ?? -1) + 1)...])
  }

  /// Gives the source a name where the library knows another one of its kind: that of this folder, if the library knows
  /// the folder, else one made of the folder's own.
  ///
  /// - Parameter known: The sources that the library's runs have listed, each with its folder, nil for a camera.
  package mutating func takeName(besides known: [(source: SourceID, folder: [UInt8]?)]) {
    name = nil
    let twins = known.filter { $0.source.kind == source }
    if let own = twins.first(where: { $0.folder == folder }) {
      name = own.source.ownName
      return
    }
    guard !twins.isEmpty else { return }
    var bytes = folder[((folder.lastIndex(of: UInt8.slash) ?? 0) + 1)...]
    let ending = Array(".photoslibrary".utf8)
    if bytes.suffix(ending.count) == ending[...] {
      bytes.removeLast(ending.count)
    }
    let whole = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter(EscapedText.isPrintable)
    let taken = known.map(\.source.name) + SourceKind.allCases.map(\.rawValue)
    var candidate = Self.name(String(whole), endingIn: "")
    var number = 1
    while candidate.isEmpty || taken.contains(candidate) {
      number += 1
      let start = candidate.isEmpty ? source.displayName : String(whole)
      candidate = Self.name(start, endingIn: " \(number)")
    }
    name = candidate
  }

  /// As much of a text as a name may have in front of an ending, without spaces at its ends.
  private static func name(_ text: String, endingIn ending: String) -> String {
    var scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
      .prefix(SourceID.maximumNameLength - ending.unicodeScalars.count)
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars) + ending
  }

  /// The manifest's text: JSON that a person can read and change.
  package var text: String {
    var lines = [
      "{", "  \"version\": 1,",
      "  \"client\": { \"identifier\": \(Self.quoted(client)), \"name\": \(Self.quoted(clientName)) },",
      "  \"usageDescriptions\": {",
    ]
    let keys = usageKeys
    for key in keys {
      lines.append("    \"\(key)\": \(Self.quoted(reason ?? proposedReason))\(key == keys.last ? "" : ",")")
    }
    lines += ["  },", "  \"sources\": {"]
    let status = asks ? "" : "\"authorizationStatus\": \"authorized\""
    let declaration =
      (name.map { "\"name\": \(Self.quoted($0)), " } ?? "") + "\"path\": \(Self.quoted(relative(folder)))"
      + (asks ? "" : ", " + status)
    if source == .camera {
      lines += [
        "    \"camera\": { \(declaration),",
        "                \"capture\": { \"mode\": \"photoAndVideo\" } },",
        "    \"microphone\": { \(status) }",
      ]
    } else {
      let kind =
        source == .library
        ? survey.kind.map { ", \"kind\": \(Self.quoted($0.rawValue))" } ?? "" : ""
      lines.append("    \"\(source.rawValue)\": { \(declaration)\(kind) }")
    }
    lines += ["  },", "  \"metadata\": { \"policy\": \(Self.quoted(policy)) },"]
    if hasNeutralLabels { lines.append("  \"labels\": { \"neutral\": true },") }
    let thumbnails = [("grid", thumbnailSide), ("large", largeThumbnailSide)]
      .filter { $0.1 > 0 }
      .map { name, side in "\"\(name)\": { \"size\": [\(side), \(side)] }" }
    if !thumbnails.isEmpty {
      let list = thumbnails.joined(separator: ",\n                  ")
      lines.append("  \"thumbnails\": { \(list) },")
    }
    lines += ["  \"output\": { \"path\": \(Self.quoted(relative(library))) }", "}"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var usageKeys: [String] {
    let keys: [UsageDescriptionKey] =
      switch source {
      case .camera: [.camera, .microphone]
      case .library: [.photoLibrary]
      case .microphone: [.microphone]
      }
    return keys.map(\.rawValue)
  }

  /// Writes the manifest where there is none, and checks it as `mediabatch check` does.
  ///
  /// - Throws: ``Refusal`` when the file is there already or cannot be written, or when the manifest has
  ///   mistakes; then none is left.
  package func write() throws(Refusal) {
    let displayPath = EscapedText.percentEscaped(path)
    let slash = path.lastIndex(of: UInt8.slash) ?? 0
    let name = Array(path[(slash + 1)...])
    do {
      let parent = try FileSystem.openFolder(Array(path[...slash]))
      let file = try FileSystem.createFile(in: parent, name)
      do {
        try file.write(Array(text.utf8))
        _ = try LoadedManifest(path: path, signature: .none)
      } catch {
        try FileSystem.removeFile(in: parent, name)
        guard let mistakes = error as? LoadedManifest.Mistakes else { throw error }
        throw Refusal(code: .manifestMistake, lines: mistakes.mistakes.map(\.text))
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch let error as FileSystemError where error.errno == EEXIST {
      throw Refusal(
        code: .cannotWrite,
        lines: [
          "\"\(displayPath)\" is there already and stays as it is. Name another file with --manifest, or "
            + "remove it."
        ]
      )
    } catch {
      let reason = error.reason(besides: displayPath)
      throw Refusal(code: .cannotWrite, lines: ["\"\(displayPath)\" cannot be written: \(reason)."])
    }
  }

  /// A path as the manifest has it: relative to the manifest's folder where it lies beneath that.
  private func relative(_ target: [UInt8]) -> String {
    let base = path[...(path.lastIndex(of: UInt8.slash) ?? 0)]
    let isBeneath = target.starts(with: base) && target.count > base.count
    return String(decoding: isBeneath ? target[base.count...] : target[...], as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).serialized, as: UTF8.self)
  }
}
