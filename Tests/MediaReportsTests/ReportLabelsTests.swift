import MediaModel
import Testing

@testable import MediaReports

@Suite("The words of a page for what the log names by code words")
struct ReportLabelsTests {
  /// Whether a person who reads it meets no word of the program's code.
  private func isPlain(_ text: String) -> Bool {
    let words = text.split { !$0.isLetter }
    // A capital behind the first letter, as in `failedBefore`; formats such as JPEG have no small one.
    return !text.isEmpty && !text.contains("_")
      && words.allSatisfy { word in
        word.allSatisfy(\.isUppercase) || !word.dropFirst().contains(where: \.isUppercase)
      }
  }

  @Test("How a run ended names no option of the command line", arguments: RunExitCode.allCases)
  func ends(code: RunExitCode) {
    let sentence = ReportWording.exit(Int(code.rawValue))
    #expect(sentence.hasSuffix("."))
    #expect(code != .itemsFailed || !sentence.contains("--"), "\(sentence)")
  }

  @Test("Each outcome has a name of its own, and a sentence", arguments: ItemOutcome.allCases)
  func outcomes(outcome: ItemOutcome) {
    let label = ReportLabels.outcome(outcome)
    #expect(isPlain(label) && label.first?.isUppercase == true, "\(label)")
    #expect(ItemOutcome.allCases.count { ReportLabels.outcome($0) == label } == 1)
    let sentence = ReportLabels.sentence(outcome)
    #expect(isPlain(sentence) && sentence.split(separator: " ").count > 3, "\(sentence)")
    #expect(!sentence.hasSuffix("."))
  }

  @Test("Each reason has a sentence, and what helps", arguments: ItemReason.allCases)
  func reasons(reason: ItemReason) {
    let label = ReportLabels.reason(reason)
    #expect(isPlain(label) && label.first?.isUppercase == true, "\(label)")
    #expect(!label.contains(reason.rawValue) || reason.rawValue.allSatisfy(\.isLowercase))
    for source in SourceKind.allCases.map({ SourceID($0) }) {
      for count in [1, 2] {
        let group = FailureAdvice.sentences(of: count, reason: reason, source: source, format: nil)
        let start = count == 1 ? "file of the " : "files of the "
        #expect(group.what.hasPrefix(start + source.displayName), "\(group.what)")
        #expect(group.what.hasSuffix(".") && isPlain(group.what), "\(group.what)")
        #expect(group.remedy.hasSuffix("."), "\(group.remedy)")
      }
    }
  }

  @Test("No two reasons have the same label, as they are choices of one menu")
  func distinct() {
    #expect(Set(ItemReason.allCases.map(ReportLabels.reason)).count == ItemReason.allCases.count)
  }

  @Test("Each class of metadata, role and exit code has plain words")
  func others() {
    let labels =
      MetadataClass.allCases.map(ReportLabels.metadataClass)
      + ResourceRole.allCases.map(ReportLabels.role)
    #expect(labels.allSatisfy { isPlain($0) && $0.first?.isUppercase == true }, "\(labels)")
    #expect(Set(labels.prefix(MetadataClass.allCases.count)).count == MetadataClass.allCases.count)
    for code in RunExitCode.allCases {
      let ending = ReportLabels.ending(code)
      #expect(isPlain(ending) && !ending.hasSuffix("."), "\(ending)")
    }
  }

  @Test("What the capture mode left out says which words to write into the manifest")
  func capture() {
    let group = FailureAdvice.sentences(of: 129, reason: .mediaTypeExcluded, source: .camera, format: nil)
    #expect(group.what == "files of the camera left out: not part of the capture mode.")
    #expect(group.remedy.contains("\"capture\": {\"mode\": \"photoAndVideo\"}"))
  }
}
