import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("Vocabulary")
struct VocabularyTests {
  @Test("Status and level have the raw values of the API that they follow, and their names")
  func rawValues() {
    #expect(AuthorizationStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(
      AuthorizationStatus.allCases.map(\.name) == [
        "notDetermined", "restricted", "denied", "authorized", "limited",
      ]
    )
    for status in AuthorizationStatus.allCases {
      #expect(AuthorizationStatus(name: status.name) == status)
    }
    for word in ["", "Denied", "allowed", "limited "] {
      #expect(AuthorizationStatus(name: word) == nil)
    }
    #expect(AccessLevel.allCases.map(\.rawValue) == [1, 2])
    #expect(AccessLevel.allCases.map(\.name) == ["addOnly", "readWrite"])
  }

  @Test("Each kind of source says what it can do")
  func layouts() {
    func having(_ isMeant: (SourceLayout) -> Bool) -> [SourceLayout] {
      SourceLayout.allCases.filter(isMeant)
    }
    #expect(having { $0.isFolder } == [.folder, .takeout, .photosLibrary, .iCloudExport])
    #expect(having { $0.readsArchives } == [.takeout, .iCloudExport])
    #expect(having { $0.hasAlbums } == [.takeout, .photosLibrary, .iCloudExport])
    #expect(having { $0.hidesItems } == [.takeout, .photosLibrary, .iCloudExport])
    #expect(having { $0.leavesOutHidden } == [.photosLibrary])
    #expect(having { $0.hasLooseSidecars } == [.takeout])
    #expect(having { $0.picksByAsset } == [.photosLibrary])
  }

  @Test("Each need rests on its own usage description", arguments: SourceKind.allCases)
  func usageDescriptions(_ source: SourceKind) {
    let keys = AccessLevel.allCases.map { UsageDescriptionKey(source: source, level: $0).rawValue }
    let expected =
      switch source {
      case .camera: ["NSCameraUsageDescription", "NSCameraUsageDescription"]
      case .library: ["NSPhotoLibraryAddUsageDescription", "NSPhotoLibraryUsageDescription"]
      case .microphone: ["NSMicrophoneUsageDescription", "NSMicrophoneUsageDescription"]
      }
    #expect(keys == expected)
  }

  @Test("Exit codes are the documented ones")
  func exitCodes() {
    #expect(
      RunExitCode.allCases.map(\.rawValue) == [
        0, 3, 4, 5, 6, 64, 65, 66, 69, 70, 73, 74, 75, 76, 77, 78, 130, 143,
      ]
    )
  }

  @Test("docs/commands.md lists every exit code, and what README repeats are our own sentences")
  func documentedExitCodes() throws {
    let sentences = Dictionary(
      uniqueKeysWithValues: RunExitCode.allCases.map { ("\($0.rawValue)", $0.sentence) }
    )
    #expect(try exitCodes(in: "docs/commands.md") == sentences)
    for (code, sentence) in try exitCodes(in: "README.md") {
      #expect(sentence == sentences[code], "\(code)")
    }
    // The page of pipelines says what to do about a code, and leaves its meaning to the table.
    let pipeline = try exitCodes(in: "docs/ci.md")
    #expect(pipeline.count == 7)
    #expect(Set(pipeline.keys).isSubset(of: sentences.keys))
  }

  /// The first two cells of each row whose first cell is a number.
  private func exitCodes(in document: String) throws -> [String: String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = String(decoding: try readBytes(root.path + "/" + document), as: UTF8.self)
    var codes: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count > 1, Int(cells[0]) != nil { codes[cells[0]] = cells[1] }
    }
    return codes
  }

  @Test("Each reason leads to one outcome")
  func outcomes() {
    let skipped: Set<ItemReason> = [
      .mediaTypeExcluded, .notRegularFile, .otherFileSystem, .notFetched, .stillChanging,
      .trashed, .notDownloaded, .referenced, .unlisted, .withdrawn, .sidecar, .sidecarRead,
      .sidecarOrphaned,
      .sidecarAmbiguous, .sidecarUnused,
    ]
    let refused: Set<ItemReason> = [.hardLinked, .otherSource, .microphoneRefused]
    for reason in ItemReason.allCases {
      let expected: ItemOutcome =
        switch reason {
        case .thumbnailMissing: .imported
        case .unknownFormat: .unsupported
        case _ where skipped.contains(reason): .skipped
        case _ where refused.contains(reason): .refused
        default: .failed
        }
      #expect(reason.outcome == expected)
    }
  }

  @Test("An edit operation says how long its output is")
  func outputLength() {
    #expect(EditOperation.copy(offset: 7, length: 5).outputLength == 5)
    #expect(EditOperation.literal([1, 2]).outputLength == 2)
  }

  @Test("A thumbnail's fingerprint tells apart all that changes its bytes, and not its name")
  func fingerprint() {
    var fingerprints: Set<String> = []
    for width in 1...12 {
      for height in [1, 2, 11, 12] {
        for mode in ContentMode.allCases {
          for quality in [1, 8, 80] {
            let spec = ThumbnailSpec(
              name: "n",
              size: PixelSize(width: width, height: height),
              contentMode: mode,
              quality: quality
            )
            fingerprints.insert(spec.fingerprint)
            var other = spec
            other.name = "m"
            #expect(other.fingerprint == spec.fingerprint)
          }
        }
      }
    }
    #expect(fingerprints.count == 12 * 4 * 2 * 3)
  }

  @Test("The settings of a thumbnail can be read back out of its fingerprint")
  func settings() throws {
    var specs = [ThumbnailSpec(name: "n", size: .maximum, contentMode: .aspectFit)]
    for mode in ContentMode.allCases {
      for format in ThumbnailFormat.allCases {
        for space in [nil] + ThumbnailColorSpace.allCases {
          for types in [nil, [MediaType.image, .video]] as [Set<MediaType>?] {
            let color = RGBColor(red: 1, green: 2, blue: 255)
            specs.append(
              ThumbnailSpec(
                name: "n",
                size: PixelSize(width: 256, height: 1),
                contentMode: mode,
                quality: format == .png ? 80 : 7,
                format: format,
                colorSpace: space,
                background: format == .jpeg ? color : .white,
                mediaTypes: types
              )
            )
          }
        }
      }
    }
    for spec in specs {
      #expect(ThumbnailSpec(name: "n", fingerprint: spec.fingerprint) == spec)
    }
    for text in ["", "256x256", "256 aspectFit q80", "1x1 aspectFit q80 other", "1x1 half q80"] {
      #expect(ThumbnailSpec(name: "n", fingerprint: text) == nil, "\(text)")
    }
  }
}
