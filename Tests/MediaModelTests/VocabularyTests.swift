import MediaModel
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
        0, 3, 4, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78, 130, 143,
      ]
    )
  }

  @Test("Each reason leads to one outcome, and none to one that needs no reason")
  func outcomes() {
    let skipped: Set<ItemReason> = [.mediaTypeExcluded, .notRegularFile, .otherFileSystem]
    let refused: Set<ItemReason> = [.hardLinked, .microphoneRefused]
    for reason in ItemReason.allCases {
      let expected: ItemOutcome =
        skipped.contains(reason)
        ? .skipped
        : refused.contains(reason)
          ? .refused : reason == .unknownFormat ? .unsupported : .failed
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
}
