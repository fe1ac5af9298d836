// The picture is well-formed XML whatever is in it, and its bars are to scale.
#include "timeline.h"

#include <gtest/gtest.h>

#include <regex>
#include <stack>

namespace cuzk {
namespace {

// Whether every tag is closed in order, every attribute quoted and every & an entity; the reason if not.
std::string xml_fault(const std::string& text) {
  std::stack<std::string> open;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&' && !std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                                              std::regex("^&(amp|lt|gt|quot);"))) {
      return "a bare & at " + std::to_string(at);
    }
    if (static_cast<unsigned char>(text[at]) < 0x20 && text[at] != '\n') return "a control character";
    if (text[at] != '<') {
      ++at;
      continue;
    }
    std::smatch tag;
    const std::string rest = text.substr(at, 4000);
    if (!std::regex_search(rest, tag, std::regex("^<(/?)(\\w+)((?: [\\w-]+=\"[^\"<]*\")*)\\s*(/?)>"))) {
      return "no tag at " + rest.substr(0, 40);
    }
    if (tag[1] == "/") {
      if (open.empty() || open.top() != tag[2]) return "</" + tag[2].str() + "> closes nothing";
      open.pop();
    } else if (tag[4] != "/") {
      open.push(tag[2]);
    }
    at += static_cast<std::size_t>(tag.length(0));
  }
  return open.empty() ? "" : "<" + open.top() + "> is not closed";
}

struct Bar {
  double x, width;
};
std::vector<Bar> bars(const std::string& svg) {
  std::vector<Bar> found;
  const std::regex bar("<rect x=\"([\\d.]+)\" y=\"[\\d.]+\" width=\"([\\d.]+)\" height=\"14\"");
  for (auto i = std::sregex_iterator(svg.begin(), svg.end(), bar); i != std::sregex_iterator(); ++i) {
    found.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
  }
  return found;
}

TEST(Timeline, BarsAreToScale) {
  const std::string svg = timeline_svg({{"porep 1", 100, {{"synth", 0, -1, 0, 50}, {"msm_h", 0, 0, 50, 100}}},
                                        {"porep 2", 200, {{"synth", 1, -1, 50, 150}}}});
  EXPECT_EQ(xml_fault(svg), "");
  const std::vector<Bar> found = bars(svg);
  ASSERT_EQ(found.size(), 3u);
  const double left = 190, width = 1000, end_ms = 400;
  EXPECT_NEAR(found[0].x, left + 100 / end_ms * width, 0.02);
  EXPECT_NEAR(found[0].width, 50 / end_ms * width, 0.02);
  EXPECT_NEAR(found[1].x, left + 150 / end_ms * width, 0.02);
  EXPECT_NEAR(found[2].x + found[2].width, left + width, 0.02);
  EXPECT_NE(svg.find("partition 1"), std::string::npos);
}

TEST(Timeline, AnyTextIsEscaped) {
  const std::string svg =
      timeline_svg({{"<b>&\"\x01", 0, {{"a<b>&\"c\x02", -1, 0, 0, 1}, {"ntt", 2147483647, 0, 1e-9, 1e9}}}});
  EXPECT_EQ(xml_fault(svg), "") << svg;
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
}

TEST(Timeline, EmptyOnesAreDocumentsToo) {
  for (const auto& jobs : {std::vector<TimelineJob>{}, std::vector<TimelineJob>{{"none", 5, {}}},
                           std::vector<TimelineJob>{{"no time", 0, {{"verify", -1, -1, 0, 0}}}}}) {
    const std::string svg = timeline_svg(jobs);
    EXPECT_EQ(xml_fault(svg), "") << svg;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Timeline, TheCheckOfTheseTestsFindsFaults) {
  for (const char* wrong : {"<a>", "<a></b>", "<a b=c></a>", "<a>&</a>", "<a b=\"<\"></a>", "</a>"}) {
    EXPECT_NE(xml_fault(wrong), "") << wrong;
  }
  EXPECT_EQ(xml_fault("<a b=\"c\"><d/>&lt;</a>\n"), "");
}

}  // namespace
}  // namespace cuzk
