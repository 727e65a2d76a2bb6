// SPDX-License-Identifier: Apache-2.0
// Formulas as people and models write them, for the tests of formulas and their sheet of pictures.
#pragma once

#include <QString>

#include <span>

namespace coterie::tests {

// clang-format off
inline constexpr const char* kFormulas[] = {
    R"(x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a})",
    R"(E = mc^2)",
    R"(e^{i\pi} + 1 = 0)",
    R"(\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi})",
    R"(\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6})",
    R"(\lim_{x \to 0} \frac{\sin x}{x} = 1)",
    R"(f'(x) = \lim_{h \to 0} \frac{f(x+h) - f(x)}{h})",
    R"(\prod_{p\ \text{prime}} \frac{1}{1 - p^{-s}} = \sum_{n=1}^\infty n^{-s})",
    R"(\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{bmatrix} x \\ y \end{bmatrix})",
    R"(\begin{vmatrix} a & b \\ c & d \end{vmatrix} = ad - bc)",
    R"(|x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases})",
    R"(\begin{aligned} (a+b)^2 &= (a+b)(a+b) \\ &= a^2 + 2ab + b^2 \end{aligned})",
    R"(\binom{n}{k} = \frac{n!}{k!\,(n-k)!})",
    R"(\sqrt[3]{x^3 + y^3} \neq x + y)",
    R"(\nabla \cdot \mathbf{E} = \frac{\rho}{\varepsilon_0})",
    R"(\nabla \times \mathbf{B} = \mu_0\left(\mathbf{J} + \varepsilon_0 \frac{\partial \mathbf{E}}{\partial t}\right))",
    R"(\hat{f}(\xi) = \int_{\mathbb{R}} f(x)\, e^{-2\pi i x \xi}\, dx)",
    R"(i\hbar \frac{\partial}{\partial t} \Psi(\mathbf{r}, t) = \hat{H} \Psi(\mathbf{r}, t))",
    R"(P(A \mid B) = \frac{P(B \mid A)\, P(A)}{P(B)})",
    R"(\mathcal{N}(x \mid \mu, \sigma^2) = \frac{1}{\sqrt{2\pi\sigma^2}} \exp\left(-\frac{(x-\mu)^2}{2\sigma^2}\right))",
    R"(\operatorname{softmax}(z)_i = \frac{e^{z_i}}{\sum_{j=1}^{K} e^{z_j}})",
    R"(\text{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right) V)",
    R"(\theta_{t+1} = \theta_t - \eta \nabla_\theta \mathcal{L}(\theta_t))",
    R"(\forall \varepsilon > 0\ \exists \delta > 0 : |x - a| < \delta \implies |f(x) - f(a)| < \varepsilon)",
    R"(A \cup (B \cap C) = (A \cup B) \cap (A \cup C))",
    R"(\overline{z} = a - bi, \quad |z| = \sqrt{a^2 + b^2})",
    R"(\vec{F} = m\vec{a} = m\ddot{\vec{x}})",
    R"(\underbrace{1 + 2 + \cdots + n}_{n \text{ terms}} = \frac{n(n+1)}{2})",
    R"(\overbrace{a + b + c}^{\text{sum}} + \widehat{abc} + \tilde{x} + \bar{y} + \dot{q} + \hat{\imath})",
    R"(\left\langle \psi \middle| \hat{A} \middle| \phi \right\rangle)",
    R"(\oint_{\partial S} \mathbf{F} \cdot d\mathbf{r} = \iint_S (\nabla \times \mathbf{F}) \cdot d\mathbf{S})",
    R"(\cfrac{1}{1 + \cfrac{1}{1 + \cfrac{1}{1 + x}}})",
    R"(x_{i_{j_k}}^{a^{b^c}})",
    R"(\Gamma(z) = \int_0^\infty t^{z-1} e^{-t}\,dt, \qquad \Re(z) > 0)",
    R"(\alpha\beta\gamma\delta\epsilon\varepsilon\zeta\eta\theta\vartheta\iota\kappa\lambda\mu\nu\xi\pi\varpi\rho\varrho\sigma\varsigma\tau\upsilon\phi\varphi\chi\psi\omega)",
    R"(\Gamma\Delta\Theta\Lambda\Xi\Pi\Sigma\Upsilon\Phi\Psi\Omega)",
    R"(\mathbb{N} \subset \mathbb{Z} \subset \mathbb{Q} \subset \mathbb{R} \subset \mathbb{C})",
    R"(\mathcal{ABCDEFG} \quad \mathfrak{ABCdef} \quad \mathbf{ABCdef} \quad \mathrm{ABCdef} \quad \mathsf{ABC} \quad \mathtt{ABC})",
    R"(\max_{x \in X} f(x) \quad \arg\min_{\theta} \mathcal{L} \quad \operatorname*{arg\,max}_{y} p(y \mid x))",
    R"(\left( \frac{a}{b} \right) \left[ \frac{\frac{a}{b}}{c} \right] \left\{ \sum_{i} x_i \right\} \left\lfloor \frac{n}{2} \right\rfloor)",
    R"(\big( \Big( \bigg( \Bigg( x \Bigg) \bigg) \Big) \big))",
    R"(\left( \begin{array}{cc|c} 1 & 0 & 3 \\ 0 & 1 & 4 \\ 2 & 2 & 5 \end{array} \right))",
    R"(\begin{array}{lcr} a & bbb & c \\ \hline aaa & b & ccc \end{array})",
    R"(\begin{align*} 2x + 3y &= 7 & x &= 2 \\ x - y &= 1 & y &= 1 \end{align*})",
    R"(\begin{gather*} a = b \\ c + d = e + f \end{gather*})",
    R"(\bigl(\begin{smallmatrix} a & b \\ c & d \end{smallmatrix}\bigr))",
    R"(\boxed{E = mc^2} \quad \boxed{\frac{a}{b}})",
    R"(\cancel{x} + \frac{\cancel{a}b}{\cancel{a}c} = \frac{b}{c})",
    R"(a \not= b,\ a \notin B,\ A \not\subset B,\ a \leq b \geq c \ll d \approx e \equiv f \sim g \propto h)",
    R"(A \to B \Rightarrow C \iff D \mapsto E \leftrightarrow F \xrightarrow{\text{heat}} G)",
    R"(\neg p \lor q \land r, \quad \top \vdash \bot, \quad \emptyset \subseteq A \setminus B)",
    R"(a^2 + b^2 = c^2 \tag{1})",
    R"(\sum\nolimits_{i=1}^n x_i \quad \int\limits_0^1 f \quad \textstyle\sum_{i=1}^n \frac{1}{i})",
    R"(\sqrt{\frac{\displaystyle\sum_{i=1}^{n} (x_i - \bar{x})^2}{n - 1}})",
    R"(\sqrt{1 + \sqrt{1 + \sqrt{1 + \sqrt{1 + x}}}})",
    R"(\overset{\text{def}}{=} \quad \underset{x}{\min} \quad \stackrel{?}{=} \quad a \equiv b \pmod{n})",
    R"(\sum_{\substack{1 \le i \le n \\ i \ne j}} a_{ij} x_i x_j)",
    R"(f''(x) + 3f'(x)^2 = y_1'^2 + \sin^2\theta + \cos^2\theta)",
    R"(\det(A) = \sum_{\sigma \in S_n} \operatorname{sgn}(\sigma) \prod_{i=1}^n a_{i,\sigma(i)})",
    R"(x \in [0, 1), \; y \in (a, b], \; \{x : x > 0\}, \; \|v\|_2, \; \lceil x \rceil, \; \langle u, v \rangle)",
    R"(T = 25\,^\circ\mathrm{C},\ 90^\circ,\ 50\%,\ \$5,\ v = 3.0 \times 10^8\ \mathrm{m/s})",
    R"(H_2O \rightleftharpoons H^+ + OH^-)",
};
// clang-format on

} // namespace coterie::tests
